/// The values of a row that matter to references, by slot.
struct PrefilteredValues {
  /// The state of a value.
  enum State { case null, integer, other }

  /// The slot of the primary key, if there is one.
  static let keySlot = 0
  /// The slot of the entity number, if there is one.
  static let entitySlot = 1

  /// The state of each value.
  private(set) var states: ContiguousArray<State>
  private(set) var integers: ContiguousArray<Int64>
  /// The slots by parameter, from 1; 0 for a value that does not matter.
  private let slots: ContiguousArray<UInt8>

  /// - Parameters:
  ///   - columns: the indexes of the columns whose values matter, by slot.
  ///   - fieldCount: the number of columns.
  init(columns: [Int], fieldCount: Int) {
    var slots = ContiguousArray<UInt8>(repeating: 0, count: fieldCount + 2)
    for (slot, column) in columns.enumerated() { slots[column + 1] = UInt8(clamping: slot + 1) }
    self.slots = slots
    states = ContiguousArray(repeating: .null, count: columns.count)
    integers = ContiguousArray(repeating: 0, count: columns.count)
  }

  /// Records the values of a row.
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

  /// The integer in a slot; nil if there is none.
  func integer(_ slot: Int) -> Int64? { states[slot] == .integer ? integers[slot] : nil }
}
