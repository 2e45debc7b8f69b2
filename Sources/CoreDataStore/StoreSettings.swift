package import CoreDataModel

/// The settings of a store's database that its schema does not hold.
package struct StoreSettings: Sendable, Equatable {
  /// The journal mode of a database, from its header.
  package enum JournalMode: String, Sendable {
    /// A write-ahead log.
    case wal
    case delete
  }

  /// The size of a page in bytes: a power of two from 512 to 65536.
  package var pageSize: Int64
  /// The number of the auto-vacuum mode: 0 none, 1 full, 2 incremental.
  package var autoVacuum: Int64
  /// The encoding of texts: `UTF-8`, `UTF-16le` or `UTF-16be`.
  package var encoding: String
  /// The application's number of its schema's version.
  package var userVersion: Int64
  /// The application's number of its file format.
  package var applicationID: Int64
  /// The journal mode in the header.
  package var journalMode: JournalMode

  /// Creates settings; the defaults match the stores that Core Data creates.
  package init(
    pageSize: Int64 = 4096, autoVacuum: Int64 = 2, encoding: String = "UTF-8",
    userVersion: Int64 = 0, applicationID: Int64 = 0, journalMode: JournalMode = .wal
  ) {
    self.pageSize = pageSize
    self.autoVacuum = autoVacuum
    self.encoding = encoding
    self.userVersion = userVersion
    self.applicationID = applicationID
    self.journalMode = journalMode
  }

  /// Checks that SQLite supports the settings; throws `refused` for any other.
  package func validate() throws(CofferError) {
    guard (512...65536).contains(pageSize), pageSize & (pageSize - 1) == 0 else {
      throw CofferError(.refused, detail: "\(pageSize) is not a valid page size")
    }
    guard (0...2).contains(autoVacuum) else {
      throw CofferError(.refused, detail: "\(autoVacuum) is not a valid auto-vacuum mode")
    }
    guard ["UTF-8", "UTF-16le", "UTF-16be"].contains(encoding) else {
      throw CofferError(.refused, detail: "the text encoding is not one that SQLite supports")
    }
    guard Int32(exactly: userVersion) != nil, Int32(exactly: applicationID) != nil else {
      throw CofferError(.refused, detail: "a version number does not fit in 32 bits")
    }
  }
}
