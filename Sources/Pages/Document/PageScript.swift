import Values

/// The script of every page: tables are ordered by their headings and searched; without it they are as they
/// were written.
enum PageScript {
  static let source: StaticString = """
    "use strict";
    (() => {
      const key = (row, index) => {
        const cell = row.cells[index];
        return cell.dataset.v ?? cell.textContent.trim();
      };
      const number = (text) => {
        const value = parseFloat(text.replace(/[,%+]/g, "").replace("\\u2212", "-"));
        return Number.isNaN(value) ? null : value;
      };
      // What is blank comes last, whichever way the rest is ordered.
      const compare = (a, b, sign, isNumber) => {
        if (isNumber) [a, b] = [number(a), number(b)];
        const [noA, noB] = [a === null || a === "", b === null || b === ""];
        if (noA || noB) return noA - noB;
        return sign * (isNumber ? a - b : a.localeCompare(b, "en", { numeric: true }));
      };
      const sortable = (table) => {
        const heads = [...table.tHead.rows[0].cells];
        heads.forEach((head, index) => {
          const button = document.createElement("button");
          button.type = "button";
          button.textContent = head.textContent;
          head.replaceChildren(button);
          button.addEventListener("click", () => {
            const isNumber = head.classList.contains("n");
            const was = head.getAttribute("aria-sort");
            const down = was === null ? isNumber : was === "ascending";
            heads.forEach((other) => other.removeAttribute("aria-sort"));
            head.setAttribute("aria-sort", down ? "descending" : "ascending");
            const rows = [...table.tBodies[0].rows].map((row) => [key(row, index), row]);
            rows.sort((a, b) => compare(a[0], b[0], down ? -1 : 1, isNumber));
            table.tBodies[0].append(...rows.map((row) => row[1]));
          });
        });
      };
      let number_of_fields = 0;
      const most = 60;
      const searchable = (table) => {
        const field = document.createElement("input");
        const label = document.createElement("label");
        const count = document.createElement("output");
        const line = document.createElement("div");
        field.type = "search";
        do field.id = "search-" + ++number_of_fields; while (document.getElementById(field.id));
        field.autocomplete = "off";
        label.htmlFor = field.id;
        label.textContent = "Filter";
        field.setAttribute("aria-label", "Filter: " + table.caption.textContent);
        count.htmlFor = field.id;
        line.className = "search";
        line.append(label, field, count);
        table.closest(".box").before(line);
        const isIndex = table.dataset.search === "index";
        const rows = [...table.tBodies[0].rows];
        const texts = rows.map((row) => row.textContent.toLowerCase());
        const names = isIndex ? rows.map((row) => row.cells[0].textContent.toLowerCase()) : [];
        // How far a name is from what is searched: it is that, ends in it after a dot, begins with it, holds it,
        // or holds its words.
        const distance = (name, words) => {
          const whole = words.join(" ").replace(/[_-]/g, " ");
          const plain = name.replace(/[_-]/g, " ");
          return plain === whole ? 0 : plain.endsWith("." + whole) ? 1 : plain.startsWith(whole) ? 2
            : plain.includes(whole) ? 3 : words.every((word) => name.includes(word)) ? 4 : 5;
        };
        const showIndex = (words) => {
          const found = words.length
            ? rows.map((row, index) => index).filter((index) => words.every((word) => texts[index].includes(word)))
            : [];
          const order = found.map((index) => [distance(names[index], words), index]);
          order.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
          const shown = order.slice(0, most).map((pair) => rows[pair[1]]);
          table.tBodies[0].replaceChildren(...shown);
          table.closest(".box").hidden = !shown.length;
          count.textContent = !words.length ? rows.length + " names"
            : found.length > most ? "the nearest " + most + " of " + found.length : found.length + " found";
        };
        const showRows = (words) => {
          let shown = 0;
          rows.forEach((row, index) => {
            row.hidden = !words.every((word) => texts[index].includes(word));
            shown += !row.hidden;
          });
          count.textContent = words.length ? shown + " of " + rows.length : "";
        };
        const show = () => {
          const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
          if (isIndex) showIndex(words); else showRows(words);
        };
        field.addEventListener("input", show);
        if (isIndex) {
          label.textContent = "Search";
          field.setAttribute("aria-label", "Search: " + table.caption.textContent);
          count.setAttribute("aria-live", "polite");
          show();
        }
        field.addEventListener("keydown", (event) => {
          if (event.key !== "Escape" || !field.value) return;
          field.value = "";
          field.dispatchEvent(new Event("input"));
          event.preventDefault();
        });
      };
      document.querySelectorAll("main table").forEach((table) => {
        sortable(table);
        if (table.dataset.search) searchable(table);
      });
      // On paper nothing can be opened.
      let closed = [];
      addEventListener("beforeprint", () => {
        closed = [...document.querySelectorAll("details:not([open])")];
        closed.forEach((part) => { part.open = true; });
      });
      addEventListener("afterprint", () => closed.forEach((part) => { part.open = false; }));
    })();

    """

  /// SHA-256 of the script in base64, by which the page allows it and no other.
  static let digest: String = {
    var hash = SHA256()
    hash.update(Array("\(source)".utf8).span)
    return base64(hash.finish())
  }()

  private static func base64(_ bytes: [UInt8]) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = (0..<3).reduce(0) { bits, place in
        bits << 8 | (start + place < bytes.count ? Int(bytes[start + place]) : 0)
      }
      for place in 0..<4 {
        text.append(start + place > bytes.count ? "=" : letters[group >> (18 - 6 * place) & 63])
      }
    }
    return text
  }
}
