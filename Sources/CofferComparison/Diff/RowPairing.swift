internal import CofferCore
internal import CoreDataArchive
internal import CoreDataModel

/// The corresponding columns of two tables, for rows of one entity on each side.
///
/// Columns correspond if they have the same name in a line. A column that only one side has
/// corresponds to none.
final class RowPairing {
  /// The location of a value on one side.
  struct Place {
    /// The column; -1 if the side has none.
    var column: Int32 = -1
    /// The column with the destination's entity number; -1 if there is none.
    var entityColumn: Int32 = -1
    var form = ValueForm.plain
  }

  /// The locations of corresponding values on both sides.
  struct Member {
    var first = Place()
    var second = Place()
  }

  /// The name of a member.
  struct Label {
    var subject: PropertyDifference.Subject
    var name: Name
  }

  /// All members, sorted by name.
  let members: ContiguousArray<Member>
  /// Their names, in the same order.
  let labels: [Label]
  let hasSameEntity: Bool

  /// Finds the corresponding columns.
  ///
  /// A plan is nil for a side without the table; other members are not in the plan of a line.
  init(
    _ first: LinePlan?, _ second: LinePlan?, and others: [(Label, Member)], hasSameEntity: Bool,
    isSwapped: Bool, includesOrder: Bool
  ) {
    var found = others
    var positions: [[ContiguousArray<UInt8>]: Int] = [:]
    for (path, place) in Self.places(first, isSwapped: false) {
      positions[path] = found.count
      found.append((Self.label(path, place.form), Member(first: place)))
    }
    for (path, place) in Self.places(second, isSwapped: isSwapped) {
      if let position = positions[path] {
        found[position].1.second = place
        if place.form.isToOne, found[position].0.subject == .attribute {
          found[position].0.subject = .relationship
        }
      } else {
        found.append((Self.label(path, place.form), Member(second: place)))
      }
    }
    if !includesOrder { found.removeAll { $0.0.subject == .order } }
    found.sort { left, right in
      left.0.name == right.0.name
        ? left.0.subject.rawValue < right.0.subject.rawValue
        : left.0.name < right.0.name
    }
    labels = found.map(\.0)
    members = ContiguousArray(found.map(\.1))
    self.hasSameEntity = hasSameEntity
  }

  /// The values of a plan by the path of keys to them, outermost key first.
  private static func places(
    _ plan: LinePlan?, isSwapped: Bool
  ) -> [(path: [ContiguousArray<UInt8>], place: Place)] {
    guard let plan else { return [] }
    var found: [(path: [ContiguousArray<UInt8>], place: Place)] = []
    func visit(_ range: Range<Int>, _ path: [ContiguousArray<UInt8>]) {
      var index = range.lowerBound
      while index < range.upperBound {
        let step = plan.steps[index]
        var key = plan.names[index].name
        if isSwapped, path.isEmpty {
          key = ContiguousArray(swapped(String(decoding: key, as: UTF8.self)).utf8)
        }
        let next = index + 1 + Int(step.memberCount)
        if step.form == .group {
          visit((index + 1)..<next, path + [key])
        } else {
          found.append(
            (
              path + [key],
              Place(column: step.column, entityColumn: step.entityColumn, form: step.form)
            ))
        }
        index = next
      }
    }
    visit(0..<plan.steps.count, [])
    return found
  }

  private static func label(_ path: [ContiguousArray<UInt8>], _ form: ValueForm) -> Label {
    var keys = path.map { String(decoding: $0, as: UTF8.self) }
    var subject = form.isToOne ? PropertyDifference.Subject.relationship : .attribute
    switch keys[0] {
    case "$order": subject = .order
    case "$owner": subject = .owner
    case "$columns": subject = .column
    default: break
    }
    if subject != .relationship, subject != .attribute { keys.removeFirst() }
    return Label(
      subject: subject, name: Name(keys.map { LineKey.name(of: $0) ?? $0 }.joined(separator: ".")))
  }

  /// The name of a member of a pair as seen from the other end of the relationship.
  static func swapped(_ name: String) -> String {
    switch name {
    case "source": "destination"
    case "destination": "source"
    case "order": "inverseOrder"
    case "inverseOrder": "order"
    default: name
    }
  }
}

extension ValueForm {
  /// Whether the value is the key of a destination.
  fileprivate var isToOne: Bool { self == .toOne || self == .polymorphicToOne }
}
