/// The style sheet of every page: one column of text with tables and charts, light or dark as its reader's
/// system has it, and black on white on paper.
enum PageStyle {
  static let sheet: StaticString = """
    :root {
      --ground: #fbfaf8; --card: #ffffff; --ink: #1c2530; --soft: #55606c; --line: #dcdfe3; --track: #eceef1;
      --link: #0a5a83; --good: #1d6b3a; --warning: #8a5200; --bad: #b0232a;
      --s0: #1f6f9c; --s1: #c2610c; --s2: #3d7d3a; --s3: #8a4fa3; --s4: #a8323e; --s5: #5f6b76; --s6: #877000;
      --s7: #0d7d7a; --hatch: #ffffff;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #14191f; --card: #1b222a; --ink: #e6eaee; --soft: #a5b0bb; --line: #333d47; --track: #2a333c;
        --link: #86c7ec; --good: #7fd09a; --warning: #f0b45c; --bad: #ff9a94;
        --s0: #63b3e0; --s1: #f0a060; --s2: #85c47f; --s3: #c79ade; --s4: #f08a90; --s5: #a9b4be; --s6: #d3bd4a;
        --s7: #58c8c2; --hatch: #1b222a;
      }
    }
    * { box-sizing: border-box; }
    html { color-scheme: light dark; scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
    @media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
    body { margin: 0 auto; padding: 0 clamp(1rem, 4vw, 2.5rem) 3rem; max-width: 72rem; background: var(--ground);
      color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
    header { padding: 2.2rem 0 .6rem; }
    h1 { font-size: clamp(1.5rem, 1.2rem + 1.6vw, 2.2rem); line-height: 1.2; margin: 0 0 1rem;
      letter-spacing: -.015em; }
    h2 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .6rem; letter-spacing: -.01em; }
    h3 { font-size: 1.06rem; margin: 1.8rem 0 .4rem; }
    h4 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
    p { margin: .5rem 0 .9rem; max-width: 44rem; overflow-wrap: anywhere; }
    a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: .06em; }
    :focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
    main:focus { outline: none; }
    main > section { padding: 1.9rem 0 .9rem; border-top: 1px solid var(--line); scroll-margin-top: 3.2rem; }
    section { scroll-margin-top: 3.2rem; }
    .skip { position: absolute; left: -999rem; background: var(--card); padding: .5rem 1rem; z-index: 2; }
    .skip:focus { left: .5rem; top: .5rem; }
    nav { position: sticky; top: 0; background: var(--ground); z-index: 1; padding: .45rem 0;
      border-bottom: 1px solid transparent; }
    nav ul { list-style: none; display: flex; gap: .1rem 1.15rem; overflow-x: auto; margin: 0; padding: .15rem 3px;
      font-size: .92rem; white-space: nowrap; scrollbar-width: thin; }
    nav a { text-decoration: none; display: inline-block; padding: .2rem 0; }
    nav a:hover { text-decoration: underline; }
    dl.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(13rem, 100%), 1fr));
      gap: .9rem 1.6rem; margin: .4rem 0 1.2rem; }
    dl.facts div { border-top: 2px solid var(--line); padding-top: .35rem; min-width: 0; }
    dt { color: var(--soft); font-size: .86rem; }
    dd { margin: 0; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
    .box { overflow-x: auto; margin: .5rem 0 1.3rem; max-width: 100%; }
    table { border-collapse: collapse; font-size: .92rem; font-variant-numeric: tabular-nums; min-width: 60%; }
    caption { text-align: left; font-weight: 600; padding: .2rem 0 .4rem; }
    th, td { text-align: left; vertical-align: top; padding: .32rem 1.1rem .32rem 0;
      border-bottom: 1px solid var(--line); }
    tbody th { font-weight: 400; }
    thead th { color: var(--soft); font-weight: 600; font-size: .85rem; vertical-align: bottom;
      border-bottom: 2px solid var(--line); white-space: nowrap; }
    .n { text-align: right; white-space: nowrap; } .s { white-space: nowrap; }
    .w { min-width: 18rem; }
    td:last-child, th:last-child { padding-right: 0; }
    tbody tr:hover { background: var(--track); }
    th button { font: inherit; color: inherit; background: none; border: 0; padding: .1rem 0; cursor: pointer;
      text-align: inherit; }
    th button::after { content: "\\2195"; opacity: .5; margin-left: .3em; font-weight: 400; }
    th[aria-sort=ascending] button::after { content: "\\2191"; opacity: 1; }
    th[aria-sort=descending] button::after { content: "\\2193"; opacity: 1; }
    th[aria-sort] button, th button:hover { color: var(--ink); }
    .search { display: flex; align-items: center; gap: .6rem; margin: .8rem 0 .2rem; font-size: .92rem; }
    .search input { font: inherit; padding: .3rem .6rem; border: 1px solid var(--soft); border-radius: 4px;
      background: var(--card); color: inherit; width: min(18rem, 60%); }
    .search output { color: var(--soft); }
    .tone { white-space: nowrap; }
    .sign { font-weight: 700; display: inline-block; width: 1.15em; text-align: center; margin-right: .25em; }
    .good .sign { color: var(--good); } .warning .sign { color: var(--warning); } .bad .sign { color: var(--bad); }
    .bad { color: var(--bad); } .warning { color: var(--warning); }
    .hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
    .none { color: var(--soft); }
    .note { border-left: 4px solid var(--line); padding: .4rem .8rem; background: var(--card); color: var(--ink); }
    .note.bad { border-color: var(--bad); } .note.warning { border-color: var(--warning); }
    .note.good { border-color: var(--good); }
    code { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: .92em; }
    pre code { font-size: 1em; } [hidden] { display: none; }
    tr:has(:target) { background: var(--track); } tbody th { scroll-margin-top: 4rem; }
    pre { background: var(--card); border: 1px solid var(--line); border-radius: 4px; padding: .8rem 1rem;
      overflow-x: auto; font-size: .86rem; }
    figure { margin: 1rem 0 1.4rem; min-width: 0; }
    figcaption { font-weight: 600; font-size: .95rem; margin-bottom: .5rem; }
    figcaption span { display: block; font-weight: 400; color: var(--soft); font-size: .88rem; max-width: 44rem; }
    .row { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); gap: 0 2.6rem; }
    figure svg { display: block; width: 100%; overflow: visible; }
    svg text { fill: var(--ink); font-size: 13px; font-variant-numeric: tabular-nums; }
    svg text.soft { fill: var(--soft); font-size: 12px; }
    svg .end { text-anchor: end; } svg .mid { text-anchor: middle; }
    figure svg.graph { width: auto; max-width: none; margin: 0 1px; }
    svg.graph text { font: 12px ui-monospace, "DejaVu Sans Mono", "Liberation Mono", Menlo, Consolas, monospace; }
    .graph rect { fill: var(--card); stroke: var(--s5); } .graph .k0 { fill: var(--track); }
    .graph .k2 { stroke: var(--s0); stroke-width: 1.6; } .way { fill: none; stroke: var(--soft); opacity: .6; }
    .graph a text { fill: var(--link); } .graph a:hover text { text-decoration: underline; }
    .graph a:focus-visible { outline: none; } .graph a:focus-visible rect { stroke: var(--link); stroke-width: 3; }
    .track { fill: var(--track); } .grid { stroke: var(--line); } .zero { stroke: var(--soft); }
    .f0 { fill: var(--s0); } .f1 { fill: var(--s1); } .f2 { fill: var(--s2); } .f3 { fill: var(--s3); }
    .f4 { fill: var(--s4); } .f5 { fill: var(--s5); } .f6 { fill: var(--s6); } .f7 { fill: var(--s7); }
    .l0 { stroke: var(--s0); } .l1 { stroke: var(--s1); } .l2 { stroke: var(--s2); } .l3 { stroke: var(--s3); }
    .l4 { stroke: var(--s4); } .l5 { stroke: var(--s5); } .l6 { stroke: var(--s6); } .l7 { stroke: var(--s7); }
    .line { stroke-width: 2.2; stroke-linecap: round; }
    .hatch { stroke: var(--hatch); stroke-width: 2; } .hatched { fill: url(#hatch); }
    .defs { position: absolute; width: 0; height: 0; }
    .legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; padding: 0; margin: .5rem 0 .2rem;
      font-size: .88rem; }
    .legend li { display: flex; align-items: center; gap: .4rem; }
    figure .legend svg { width: 28px; height: 14px; flex: none; }
    summary { cursor: pointer; color: var(--link); font-size: .92rem; padding: .2rem 0; }
    footer { border-top: 1px solid var(--line); margin-top: 1.5rem; color: var(--soft); font-size: .88rem; }
    @media (max-width: 40rem) { table { min-width: 100%; } th, td { padding-right: .8rem; } }
    @media print {
      :root { --ground: #fff; --card: #fff; --ink: #000; --soft: #444; --line: #bbb; --track: #eee; --link: #000;
        --good: #1d6b3a; --warning: #8a5200; --bad: #b0232a; --s0: #1f6f9c; --s1: #c2610c; --s2: #3d7d3a;
        --s3: #8a4fa3; --s4: #a8323e; --s5: #5f6b76; --s6: #877000; --s7: #0d7d7a; --hatch: #fff;
        color-scheme: light; }
      body { max-width: none; padding: 0; font-size: 10pt; }
      nav, .skip, .search { display: none; }
      .box { overflow: visible; } .row { display: block; }
      table, thead th { font-size: 7pt; }
      thead th, thead th.n, tbody th, td { padding-right: .5rem; white-space: normal; overflow-wrap: anywhere; }
      tbody th { overflow-wrap: break-word; } tbody td.n, td .tone { white-space: nowrap; overflow-wrap: normal; }
      .w { min-width: 0; } pre { white-space: pre-wrap; }
      tr, figure, .note { break-inside: avoid; }
      h2, h3 { break-after: avoid; }
      thead { display: table-header-group; }
      th button::after { content: ""; }
    }

    """
}
