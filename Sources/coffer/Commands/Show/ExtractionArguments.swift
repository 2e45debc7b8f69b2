internal import ArgumentParser
internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// The options of `show` that write values of attributes to files.
struct ExtractionArguments: ParsableArguments {
  @Option(
    help: .value(
      "attribute", "With --output or --output-folder: write the bytes of this attribute."))
  var attribute: Name?

  @Option(
    help: .value("file", "Write the attribute of one object to this file, - for standard output."),
    completion: .file())
  var output: String?

  @Option(
    help: .value(
      "folder", "Write the attribute, or all binary data, of all objects to files in this folder."),
    completion: .directory)
  var outputFolder: String?

  @Flag(help: "Replace an existing file, or an earlier output folder.")
  var force = false

  func validate() throws {
    if output != nil, outputFolder != nil {
      throw ValidationError("'--output' and '--output-folder' cannot be combined.")
    }
    if output != nil, attribute == nil {
      throw ValidationError("'--output' requires '--attribute <attribute>'.")
    }
    if !isUsed, attribute != nil {
      throw ValidationError(
        "'--attribute' requires '--output <file>' or '--output-folder <folder>'.")
    }
    if !isUsed, force {
      throw ValidationError("'--force' requires '--output' or '--output-folder'.")
    }
  }

  /// Whether values are written to files instead of shown.
  var isUsed: Bool { output != nil || outputFolder != nil }

  /// Whether the value goes to standard output.
  var isPiped: Bool { output == "-" }

  func write(
    _ query: ObjectQuery, in file: String, isRaw: Bool, _ browser: ObjectBrowser,
    _ session: Session
  ) throws -> ExitStatus {
    let message: ExtractionMessage
    if let output, let attribute {
      if isPiped, StandardStream.output.isTerminal {
        throw CofferError(
          .refused, path: "standard output",
          detail: "binary data cannot be written to a terminal",
          advice: "Redirect it to a file or a pipe.")
      }
      let target: ArchiveDestination =
        isPiped
        ? .descriptor(StandardStream.output.descriptor)
        : .file(path: output, overwriting: force)
      let summary = try browser.extract(file, query, attribute, to: target)
      message = ExtractionMessage(
        summary: summary, place: isPiped ? "standard output" : output, isFolder: false)
    } else {
      let folder = outputFolder ?? ""
      let summary = try browser.extractAll(
        file, query, attribute, to: folder, replacing: force, recognizing: !isRaw)
      message = ExtractionMessage(summary: summary, place: folder, isFolder: true)
    }
    try session.printer.print(message)
    if message.summary.missingFileCount > 0 {
      let count = message.summary.missingFileCount
      try session.printer.warn(
        "missing-files",
        "\(QuantityText.count(count, "file")) of external binary data "
          + "\(count == 1 ? "is" : "are") missing, so \(count == 1 ? "its value was" : "their values were") "
          + "not written")
    }
    return message.status
  }
}

private struct ExtractionMessage: Message {
  var summary: ExtractionSummary
  var place: String
  var isFolder: Bool

  var status: ExitStatus { summary.missingFileCount > 0 ? .findings : .done }

  func write(to printer: TextPrinter) throws {
    let bytes = QuantityText.bytes(summary.byteCount)
    let what = isFolder ? "\(QuantityText.count(summary.valueCount, "value")), \(bytes)," : bytes
    try printer.line("Wrote \(what) to \(Terminal.printable(place))")
  }

  func write(to printer: JSONPrinter) throws {
    try printer.summary(
      status,
      [
        isFolder ? "folder" : "file": place, "values": summary.valueCount,
        "bytes": summary.byteCount, "missingFiles": summary.missingFileCount,
      ])
  }
}
