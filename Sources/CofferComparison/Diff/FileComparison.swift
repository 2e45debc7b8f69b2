internal import CofferCore
internal import CoreDataArchive
internal import CoreDataStore

/// Compares the files in the support folders of two sources.
struct FileComparison<First: RowSource, Second: RowSource> {
  let first: First
  let second: Second
  let progress: any ProgressReporter
  let report: (FileDifference) throws -> Void

  /// Compares files with the same name, and reports the others.
  func compareByName() throws {
    let left = try first.files().byPath
    let right = try second.files().byPath
    let names = Set(left.keys).union(right.keys).sorted()
    for (number, name) in names.enumerated() {
      try step(number, of: names.count)
      let kind: ChangeKind
      switch (left[name], right[name]) {
      case (let old?, let new?):
        if try first.hasSameBytes(old, as: new, of: second) { continue }
        kind = .changed
      case (nil, _): kind = .added
      case (_, nil): kind = .removed
      }
      try report(kind, left[name], right[name])
    }
    if !names.isEmpty { try step(names.count, of: names.count) }
  }

  /// Reports files whose content the other source does not have under any name.
  func compareByContent() throws {
    let (left, right) = (try first.files(), try second.files())
    // Only files of the same size can be equal.
    let sizes = Set(left.map(\.size)).intersection(right.map(\.size))
    let total = left.count + right.count
    var surplus: [ArchiveDigest: Int] = [:]
    for (number, file) in left.enumerated() where sizes.contains(file.size) {
      try step(number, of: total)
      surplus[try first.digest(of: file), default: 0] += 1
    }
    var added: [SupportFolder.File] = []
    for (number, file) in right.enumerated() {
      try step(left.count + number, of: total)
      if sizes.contains(file.size) {
        let digest = try second.digest(of: file)
        if let count = surplus[digest], count > 0 {
          surplus[digest] = count - 1
          continue
        }
      }
      added.append(file)
    }
    for file in left {
      if sizes.contains(file.size) {
        let digest = try first.digest(of: file)
        guard let count = surplus[digest], count > 0 else { continue }
        surplus[digest] = count - 1
      }
      try report(.removed, file, nil)
    }
    for file in added { try report(.added, nil, file) }
    if total > 0 { try step(total, of: total) }
  }

  private func report(
    _ kind: ChangeKind, _ old: SupportFolder.File?, _ new: SupportFolder.File?
  ) throws {
    guard let file = old ?? new else { return }
    try report(
      FileDifference(
        kind: kind, name: file.externalName ?? file.path,
        oldByteCount: old?.size, newByteCount: new?.size))
  }

  private func step(_ number: Int, of count: Int) throws {
    progress.report(WorkProgress(.externalData, completed: number, total: count))
    try Task<Never, Never>.checkCancellation()
  }
}
