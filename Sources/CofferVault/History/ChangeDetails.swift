internal import CofferCore

/// What is recorded of a change besides its object and its transaction, in one number.
struct ChangeDetails {
  /// How far the number of the entity, and the kind, stand from the end; the number of the mask stands there.
  private static let (entityShift, kindShift) = (Int64(36), Int64(32))

  /// The number of the entity, below 2 to the power of 27.
  let entity: Int64
  let kind: RecordedChange
  /// The number of the mask in ``ChangedProperties``; negative if its properties are not known.
  let mask: Int32

  init(_ entity: Int64, _ kind: RecordedChange, mask: Int32) {
    (self.entity, self.kind, self.mask) = (entity, kind, mask)
  }

  /// Takes a number apart; nil for one that is none of these.
  init?(_ packed: Int64) {
    guard let kind = RecordedChange(rawValue: packed >> Self.kindShift & 0xf) else { return nil }
    self.kind = kind
    entity = packed >> Self.entityShift
    mask = Int32(truncatingIfNeeded: packed)
  }

  /// The number.
  var packed: Int64 {
    entity << Self.entityShift | kind.rawValue << Self.kindShift | Int64(UInt32(bitPattern: mask))
  }
}
