internal import CofferKit
internal import CoreDataModel

/// A few differences of each kind, to print when there are too many.
struct DifferenceExamples {
  /// The maximum number per kind and entity, relationship or subject.
  static let limit = 5

  private struct Group: Hashable {
    var subject: String
    var kind: ChangeKind?
  }

  /// The differences to print, in the order in which they were found.
  private(set) var shown: [Difference] = []
  /// The number of differences that are not printed.
  private(set) var hiddenCount = 0
  private var counts: [Group: Int] = [:]

  mutating func add(_ difference: Difference) {
    let group = Self.group(of: difference)
    let count = counts[group, default: 0]
    counts[group] = count + 1
    if count < Self.limit { shown.append(difference) } else { hiddenCount += 1 }
  }

  private static func group(of difference: Difference) -> Group {
    switch difference {
    case .store(let store): Group(subject: store.subject.rawValue, kind: store.kind)
    case .object(let object):
      Group(subject: "object \(object.objectID.entityName)", kind: object.kind)
    case .pair(let pair):
      Group(subject: "pair \(pair.entityName).\(pair.relationshipName)", kind: pair.kind)
    case .rows(let rows): Group(subject: "rows \(rows.tableName)", kind: nil)
    case .externalData(let file): Group(subject: "file", kind: file.kind)
    }
  }
}
