internal import CofferCore
internal import CoreDataModel
internal import CoreDataStore

/// Copies the files of external binary data that the written objects refer to.
struct ExternalFileCopies<Source: RowSource> {
  private let source: Source
  private let values: DataValues
  private let folder: OutputFolder
  private let progress: any ProgressReporter

  /// The name of their folder in the output.
  private var folderName: String { "External" }

  init(
    _ source: Source, _ values: DataValues, _ folder: OutputFolder,
    _ progress: any ProgressReporter
  ) {
    self.source = source
    self.values = values
    self.folder = folder
    self.progress = progress
  }

  /// Copies the files, and counts missing ones.
  ///
  /// - Returns: the number of copied files.
  func complete() throws -> Int {
    // There can be a million names, of files that are missing.
    let names = values.takeExternalFiles().sorted()
    var files: [ExternalFileName: SupportFolder.File] = [:]
    if !names.isEmpty {
      for file in try source.files() {
        if let name = file.externalName.flatMap(ExternalFileName.init) { files[name] = file }
      }
    }
    var count = 0
    for (index, name) in names.enumerated() {
      try Task<Never, Never>.checkCancellation()
      progress.report(WorkProgress(.externalData, completed: index, total: names.count))
      if let file = files[name], try copy(file, named: name.text) {
        count += 1
      } else {
        values.note(.missingFile)
      }
    }
    if !names.isEmpty {
      progress.report(WorkProgress(.externalData, completed: names.count, total: names.count))
    }
    return count
  }

  private func copy(_ found: SupportFolder.File, named name: String) throws -> Bool {
    let file = "\(folderName)/\(name)"
    var isCreated = false
    let isThere = try unsafe source.read(found) { bytes in
      if !isCreated { try folder.create(file) }
      isCreated = true
      try unsafe folder.append(bytes, to: file)
    }
    if isThere, !isCreated { try folder.create(file) }
    return isThere
  }
}
