internal import CofferCore
internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore

/// Examines the values that can be in files, and the files.
final class ExternalSurvey: SurveyPart {
  private var context: VerificationContext?
  private var visitors: [Visitor] = []
  /// The position in this list, by table index.
  private var positions: [Int: Int] = [:]

  func begin(_ context: VerificationContext) { self.context = context }

  // Of a table without rows an archive has nothing to be visited.
  func prepare() {
    guard let context else { return }
    for table in context.tables where table.shape.kind == .entity {
      let columns = AttributeColumn.all(of: table, context.subject.model).filter(\.isExternal)
      guard !columns.isEmpty else { continue }
      positions[table.index] = visitors.count
      visitors.append(Visitor(columns))
    }
  }

  func visitor(of table: VerifiedTable) -> (any RowVisitor)? {
    positions[table.index].map { visitors[$0] }
  }

  /// The result, without what findings report.
  var report: ExternalDataReport {
    let files = (context?.supportFiles ?? []).filter {
      $0.components.first == StorePaths.externalDataFolderName
    }
    let largest = files.sorted {
      $0.size != $1.size ? $0.size > $1.size : Self.name($0) < Self.name($1)
    }
    .prefix(5)
    return ExternalDataReport(
      fileCount: files.count,
      byteCount: files.reduce(0) { $0.addingReportingOverflow($1.size).partialValue },
      sizes: Self.classes(files.map(\.size)),
      largest: largest.map { .init(name: Self.name($0), byteCount: $0.size) },
      attributes: visitors.flatMap(\.attributes), missingCount: 0, orphanedCount: 0)
  }

  private static func name(_ file: SupportFolder.File) -> String {
    file.components.dropFirst().joined(separator: "/")
  }

  /// The sizes of files by powers of ten: below 1 kB, below 10 kB, and so on up to 1 GB.
  static func classes(_ sizes: [Int]) -> [ExternalDataReport.SizeClass] {
    guard !sizes.isEmpty else { return [] }
    let limits = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000]
    var classes = limits.map { ExternalDataReport.SizeClass(limit: $0, fileCount: 0, byteCount: 0) }
    classes.append(.init(limit: nil, fileCount: 0, byteCount: 0))
    for size in sizes {
      let place = limits.firstIndex { size < $0 } ?? limits.count
      classes[place].fileCount += 1
      classes[place].byteCount = classes[place].byteCount.addingReportingOverflow(size).partialValue
    }
    let first = classes.firstIndex { $0.fileCount > 0 } ?? 0
    let last = classes.lastIndex { $0.fileCount > 0 } ?? 0
    return Array(classes[first...last])
  }

  /// Examines the markers of the values of a table (store-format, section 6).
  private final class Visitor: RowVisitor {
    private(set) var attributes: [ExternalDataReport.Attribute]
    private let positions: [Int]

    init(_ columns: [AttributeColumn]) {
      positions = columns.map(\.column)
      attributes = columns.map {
        .init(
          entityName: $0.entityName, name: $0.name, inlineCount: 0, inlineByteCount: 0,
          referenceCount: 0)
      }
    }

    func visit(_ row: Row) {
      for place in positions.indices {
        switch row.firstByte(positions[place]) {
        case 1:
          attributes[place].inlineCount &+= 1
          attributes[place].inlineByteCount &+= row.size(positions[place]) - 1
        case 2: attributes[place].referenceCount &+= 1
        default: break
        }
      }
    }
  }
}
