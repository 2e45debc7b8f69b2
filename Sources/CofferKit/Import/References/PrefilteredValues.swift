/// The values of a row that matter to references, by their places.
struct PrefilteredValues {
  /// What a value is.
  enum State { case null, integer, other }

  /// The place of the primary key, where there is one.
  static let keySlot = 0
  /// The place of the number of the entity, where there is one.
  static let entitySlot = 1

  /// What each value is.
  private(set) var states: ContiguousArray<State>
  /// The integers.
  private(set) var integers: ContiguousArray<Int64>
  /// The places by parameter, from 1; 0 for a value that does not matter.
  private let slots: ContiguousArray<UInt8>

  /// - Parameters:
  ///   - columns: the indexes of the columns whose values matter, by their places.
  ///   - fieldCount: how many columns there are.
  init(columns: [Int], fieldCount: Int) {
    var slots = ContiguousArray<UInt8>(repeating: 0, count: fieldCount + 2)
    for (slot, column) in columns.enumerated() { slots[column + 1] = UInt8(clamping: slot + 1) }
    self.slots = slots
    states = ContiguousArray(repeating: .null, count: columns.count)
    integers = ContiguousArray(repeating: 0, count: columns.count)
  }

  /// Takes the values of a row.
  mutating func take(_ cells: ContiguousArray<DecodedValue>, _ range: Range<Int>) {
    for slot in states.indices { states[slot] = .null }
    for index in range {
      let cell = cells[index]
      let slot = Int(slots[Int(cell.parameter)])
      guard slot > 0 else { continue }
      switch cell.kind {
      case .null: states[slot - 1] = .null
      case .integer:
        states[slot - 1] = .integer
        integers[slot - 1] = Int64(bitPattern: cell.bits)
      default: states[slot - 1] = .other
      }
    }
  }

  /// The integer in a place; nil where there is none.
  func integer(_ slot: Int) -> Int64? { states[slot] == .integer ? integers[slot] : nil }
}
