/// One of the places where something repeats within a record: its number, and what its headers say in place
/// of words.
struct RepeatSlot {
  /// From 1.
  let number: Int
  /// The text in place of a name in braces: `place` is `Mailing`.
  var words: [String: String] = [:]

  /// A text of this slot: `PRICE{slot}` is `PRICE2` in the second, `{place} Address` `Mailing Address`.
  func filled(_ text: String) -> String {
    words.reduce(text.replacing("{slot}", with: String(number))) { text, word in
      text.replacing("{\(word.key)}", with: word.value)
    }
  }
}

extension RepeatSlot {
  /// The most times that something may repeat within a record.
  private static let most = 1000

  /// Reads the key `repeat`: how often, or a list of the words that tell one slot from another.
  static func read(_ fields: Fields, in file: DefinitionFile) -> [RepeatSlot] {
    fields.need("repeat")
    guard let node = fields.node("repeat") else { return [] }
    guard case .sequence(let items) = node.content else {
      guard let count = fields.count("repeat") else { return [] }
      guard (1...most).contains(count) else {
        file.report("'repeat' must be from 1 to \(most)", at: node.mark)
        return []
      }
      return (1...count).map { RepeatSlot(number: $0) }
    }
    if items.isEmpty { file.report("'repeat' is empty", at: node.mark) }
    let slots = items.enumerated().compactMap { place, item -> RepeatSlot? in
      guard case .mapping(let entries) = item.content else {
        file.report("a slot must be a mapping of words, found \(item.kind)", at: item.mark)
        return nil
      }
      let words = entries.compactMap { entry in
        fields.text(entry.value, called: "'\(entry.key)'").map { (entry.key, $0.value) }
      }
      return RepeatSlot(number: place + 1, words: Dictionary(words) { first, _ in first })
    }
    for (slot, item) in zip(slots, items) where slot.words.keys != slots[0].words.keys {
      file.report("every slot must have the words of the first", at: item.mark)
    }
    return slots
  }
}
