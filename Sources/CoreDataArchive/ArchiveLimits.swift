/// The limits for the content of an archive, so that a hostile one cannot exhaust memory, disk or
/// stack.
///
/// All limits for reading archives are here. The reader can raise or lower the limits of a ``Group``:
///
/// ```swift
/// var options = ImportOptions()
/// options.environment.limits.multiply(.entries, by: 5)
/// ```
///
/// Limits that are part of the format, so that no archive exceeds them, are constants of this type.
/// The writer keeps the standard limits too. The limits of models are in `ModelCacheReader` and
/// `KeyedArchive`.
public struct ArchiveLimits: Sendable, Equatable {
  /// The maximum number of entries, without index.json; memory keeps a name and a record of each.
  package var entryCount = 1_000_000
  /// The number of entries of an archive of any size; each further entry requires 512 bytes
  /// of its file, because memory keeps a record of each.
  package var smallEntries = 50_000
  /// The maximum plain size of a whole archive, 16 TiB.
  package var totalSize = 1 << 44
  /// The maximum size of index.json, which is read into memory.
  package var indexSize = 128 << 20
  /// The maximum excess of index.json over everything before it in the file, in bytes.
  package var indexExcess = 16 << 20
  /// The maximum depth of arrays and objects in index.json.
  package var indexDepth = 64
  /// The maximum size of a pax header or a GNU long name, which is read into memory.
  package var extendedHeaderSize = 64 << 10
  /// The maximum size of a document (`manifest.json`, `model.json`, `store/…`), which is read into
  /// memory.
  package var documentSize = 16 << 20
  /// The maximum depth of arrays and objects in a document, which uses stack.
  package var documentDepth = 256
  /// The maximum number of values in a document, without keys; each uses memory.
  package var documentValues = 250_000
  /// The maximum number of entities in a model and in a layout; lines are planned for each.
  package var entities = 2000
  /// The maximum number of properties in a model, each counted once at the entity that declares it,
  /// and of columns in a layout.
  package var properties = 20_000
  /// The maximum number of rows in each of the three tables of the administration: metadata, entity
  /// numbers and model cache.
  package var administrationRows = 5000
  /// The maximum number of statements in a schema; SQLite reads its list of them again for each.
  package var statements = 5000
  /// The maximum size of all statements of a schema together: SQLite needs much more memory for them.
  package var schemaSize = 1 << 20
  /// The maximum size of a statement of a schema, which is parsed in memory.
  package var statementSize = 512 << 10
  /// The maximum number of counts of objects that index.json gives, each with the name of an entity.
  package var indexCounts = 250_000
  /// The number of entries that the indexes of a store may have together, and once more for every 20 MB
  /// of the archive.
  package var indexEntries = 2_000_000
  /// The number of bytes that the indexes of a store may take together, in addition to four times
  /// the size of the archive.
  package var indexGrowth = 64 << 20
  /// The maximum number of lines, in all parts, that have fewer than 24 bytes: each is as
  /// much work as a longer one.
  package var shortLines = 1_000_000
  /// The number of times that the lines of a part may use the bytes of its out-of-line values, on average.
  package var blobReuse = 4
  /// The number of findings of one code that a verification reports one by one, also of a store; the
  /// rest is counted.
  package var findings = 10_000
  /// The maximum size of the lines, or of the blobs, of a part, which are read into memory.
  package var partSize = 32 << 20
  /// The maximum depth of arrays and objects in a line.
  package var lineDepth = 64
  /// The maximum size of a text in its own entry, which is read into memory.
  ///
  /// The standard is SQLite's own bound of a value (<https://sqlite.org/limits.html>).
  package var textSize = 1_000_000_000
  /// The maximum ratio of a repacked archive's plain size to its compressed size.
  ///
  /// Applies beyond ``repackedFreeSize``. coffer never unpacks its own archives to disk completely.
  package var repackedRatio = 300
  /// The number of plain bytes that a repacked archive may have at any ratio.
  package var repackedFreeSize = 128 << 20

  /// The maximum window of a repacked archive's zstd stream, in bytes, which is kept in memory; rounded
  /// down to a power of two.
  ///
  /// The standard is enough for levels up to 19; coffer's own members have none.
  package var windowSize = 8 << 20

  /// The limits that are right for all archives but extraordinary ones.
  public static let standard = ArchiveLimits()

  /// Creates the standard limits.
  public init() {}
}

// MARK: - Limits of the format

extension ArchiveLimits {
  /// Plain bytes of content in one gzip member, as the writer cuts it.
  package static let blockSize = 1 << 20
  /// The maximum plain size of a member, which no archive exceeds.
  package static let memberPlainSize = 4 << 20
  /// The maximum size of a member: stored blocks and the frame add a little.
  package static let memberSize = memberPlainSize + (64 << 10)
  /// The maximum size of an entry's name in UTF-8 bytes.
  package static let nameSize = 1024
  /// The maximum number of columns in a table: SQLite's own limit
  /// (<https://sqlite.org/limits.html>).
  package static let columnCount = 2000
  /// The largest file offset or size, 2^53 - 1, so that JSON readers that round agree.
  package static let fileSize = (1 << 53) - 1

  /// The plain bytes of an archive for which its indexes may have ``indexEntries`` once more: with the
  /// standard, one entry for 10 bytes, where real stores have one for a hundred.
  package static let sizeOfFewIndexEntries = 20_000_000

  /// The number of bytes, with the line feed, that a line needs to not count as one of ``shortLines``.
  ///
  /// The line of an object with a key of six digits and nothing else has exactly as many. So a table of such
  /// objects has at most 100,000 short lines, and pairs have none.
  package static let shortLineSize = 24

  /// The number of bytes to reserve in advance, in the address space and not in memory.
  package static let reservedRoom = 128 << 20

  /// The number of bytes of a part's out-of-line values that get space in a store in advance.
  ///
  /// Larger values grow when they arrive, so that a mere claim takes no space.
  package static let reservedSize = 256 << 20

  /// The limit that a number of entries exceeds at a size of the archive's file; nil for
  /// none.
  func exceeded(byEntries count: Int, before offset: Int) -> Name? {
    if count > entryCount { return .entryCount }
    return count - min(smallEntries, count) > offset / Self.sizeOfEntry ? .smallEntries : nil
  }

  /// The number of bytes of an archive's file that allow another entry.
  static let sizeOfEntry = 512

  /// The limit that the size of index.json exceeds, which is at that offset in the archive's file; nil
  /// for none.
  func exceeded(byIndex size: Int, at offset: Int) -> Name? {
    if size > indexSize { return .indexSize }
    return size - min(indexExcess, size) > offset ? .indexExcess : nil
  }

  /// The maximum number of headers without content (folders, pax) in a repacked archive: two per
  /// entry.
  var extraHeaderCount: Int { entryCount.multipliedReportingOverflow(by: 2).partialValue }
}

// MARK: - Names and groups

extension ArchiveLimits {
  /// The stable name of a limit, used in errors; each case belongs to the member with the same name.
  package enum Name: String, Sendable, CaseIterable {
    case entryCount = "entry-count"
    case smallEntries = "small-entries"
    case totalSize = "total-size"
    case indexSize = "index-size"
    case indexExcess = "index-excess"
    case indexDepth = "index-depth"
    case extendedHeaderSize = "extended-header-size"
    case documentSize = "document-size"
    case documentDepth = "document-depth"
    case documentValues = "document-values"
    case entities
    case properties
    case administrationRows = "administration-rows"
    case statements
    case schemaSize = "schema-size"
    case statementSize = "statement-size"
    case indexCounts = "index-counts"
    case indexEntries = "index-entries"
    case indexGrowth = "index-growth"
    case shortLines = "short-lines"
    case blobReuse = "blob-reuse"
    case findings
    case partSize = "part-size"
    case lineDepth = "line-depth"
    case textSize = "text-size"
    case repackedRatio = "repacked-ratio"
    case repackedFreeSize = "repacked-free-size"
    case windowSize = "window-size"

    /// The largest value that can be asked for, so that no arithmetic overflows and no stack does.
    package var largestValue: Int {
      switch self {
      case .entryCount, .smallEntries: 1 << 31
      case .documentDepth, .indexDepth, .lineDepth: 1000
      case .entities, .statements: 1 << 20
      case .properties, .administrationRows: 1 << 31
      case .repackedRatio, .blobReuse, .windowSize: 1 << 31
      case .indexEntries: 1 << 40
      default: ArchiveLimits.fileSize
      }
    }

    /// The group of the limit.
    package var group: Group {
      switch self {
      case .entryCount, .smallEntries, .totalSize: .entries
      case .indexSize, .indexExcess, .indexDepth, .indexCounts: .index
      case .documentSize, .documentDepth, .documentValues, .administrationRows: .documents
      case .entities, .properties: .model
      case .statements, .schemaSize, .statementSize: .schema
      case .indexEntries, .indexGrowth: .storeIndexes
      case .shortLines, .lineDepth, .partSize: .lines
      case .blobReuse, .textSize: .values
      case .extendedHeaderSize, .repackedRatio, .repackedFreeSize, .windowSize: .repacked
      case .findings: .findings
      }
    }

    /// The factor between the default and a value, rounded up.
    package func factor(for value: Int) -> Int {
      let standard = ArchiveLimits.standard[self]
      return value / standard + (value % standard > 0 ? 1 : 0)
    }

    var path: WritableKeyPath<ArchiveLimits, Int> {
      switch self {
      case .entryCount: \.entryCount
      case .smallEntries: \.smallEntries
      case .totalSize: \.totalSize
      case .indexSize: \.indexSize
      case .indexExcess: \.indexExcess
      case .indexDepth: \.indexDepth
      case .extendedHeaderSize: \.extendedHeaderSize
      case .documentSize: \.documentSize
      case .documentDepth: \.documentDepth
      case .documentValues: \.documentValues
      case .entities: \.entities
      case .properties: \.properties
      case .administrationRows: \.administrationRows
      case .statements: \.statements
      case .schemaSize: \.schemaSize
      case .statementSize: \.statementSize
      case .indexCounts: \.indexCounts
      case .indexEntries: \.indexEntries
      case .indexGrowth: \.indexGrowth
      case .shortLines: \.shortLines
      case .blobReuse: \.blobReuse
      case .findings: \.findings
      case .partSize: \.partSize
      case .lineDepth: \.lineDepth
      case .textSize: \.textSize
      case .repackedRatio: \.repackedRatio
      case .repackedFreeSize: \.repackedFreeSize
      case .windowSize: \.windowSize
      }
    }
  }

  /// Limits that belong together and are raised together.
  public enum Group: String, Sendable, CaseIterable {
    /// The number of entries and the size of the archive.
    case entries
    /// The archive's own index.
    case index
    /// The documents that describe the data.
    case documents
    /// The model: entities and properties.
    case model
    /// The schema of the store.
    case schema
    case storeIndexes = "store-indexes"
    /// The lines of objects.
    case lines
    /// Values that are stored out of line.
    case values
    /// Archives that other tools have packed again.
    case repacked
    /// The findings of one code that are reported one by one.
    case findings
  }

  /// The maximum factor of ``multiply(_:by:)``.
  public static let maxFactor = 100.0

  /// Multiplies the defaults of all limits of a group.
  ///
  /// - Parameters:
  ///   - group: the group.
  ///   - factor: greater than 0 and at most ``maxFactor``; others count as the nearest.
  public mutating func multiply(_ group: Group, by factor: Double) {
    let factor = factor > 0 ? min(factor, Self.maxFactor) : 0
    for name in Name.allCases where name.group == group {
      let value = (Double(Self.standard[name]) * factor).rounded(.up)
      self[name] = Int(min(max(value, 1), Double(name.largestValue)))
    }
  }

  /// The value of a limit.
  package subscript(name: Name) -> Int {
    get { self[keyPath: name.path] }
    set { self[keyPath: name.path] = newValue }
  }
}
