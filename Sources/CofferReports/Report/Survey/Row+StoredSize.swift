internal import CofferCore
internal import CoreDataStore

extension Row {
  /// The size of the value in a record in bytes, without its type.
  ///
  /// Source: the record format of SQLite, <https://sqlite.org/fileformat2.html#record_format>.
  func storedSize(_ column: Int) -> Int {
    switch storageClass(column) {
    case .null: return 0
    case .real: return 8
    case .text, .blob: return size(column)
    case .integer:
      let value = integer(column) ?? 0
      switch value < 0 ? ~value : value {
      // The values 0 and 1 are types of their own.
      case ...0x7f: return value == 0 || value == 1 ? 0 : 1
      case ...0x7fff: return 2
      case ...0x7f_ffff: return 3
      case ...0x7fff_ffff: return 4
      case ...0x7fff_ffff_ffff: return 6
      default: return 8
      }
    }
  }
}
