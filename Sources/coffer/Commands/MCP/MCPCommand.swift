internal import ArgumentParser
internal import CofferKit
internal import CoreDataArchive
internal import CoreDataModel

/// The command `coffer mcp FOLDER…`.
struct MCPCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "mcp",
    abstract: "Let an assistant look into stores, by the Model Context Protocol.",
    usage: "coffer mcp <folder> … [--mask]",
    discussion: HelpText.discussion(
      """
      Answers requests of the Model Context Protocol on standard input and output, until standard input \
      ends: list stores, describe models, query objects, compare, verify, explain findings, show \
      history and list backups. Reads files in the folders and below, no others, and never writes. Answers have at \
      most 256 KiB, and give the rest in pages. With --mask, answers have no values of objects.
      """,
      examples: [
        "coffer mcp Trips.xcappdata",
        "coffer mcp . --mask",
      ],
      statuses: [
        (.done, "standard input has ended"), (.failed, nil),
        (.unusableInput, "a folder does not exist"), (.usage, nil), (.interrupted, nil),
      ]))

  @Argument(
    help: ArgumentHelp("The folders whose files may be read.", valueName: "folder"),
    completion: .directory)
  var folders: [String]

  @Flag(help: "Replace the values of objects in answers; there is no SQL then.")
  var mask = false

  @OptionGroup var output: OutputOptions

  func perform(_ session: Session) throws -> ExitStatus {
    let server = MCPServer(places: try MCPPlaces(folders), isMasked: mask)
    var lines = InputLines(longest: MCPServer.longestMessage)
    while let line = try lines.next() {
      let answer: JSONValue?
      switch line {
      case .bytes(let bytes):
        guard bytes.contains(where: { $0 > 0x20 }) else { continue }
        answer = server.answer(bytes)
      case .tooLong: answer = MCPServer.tooLong
      }
      // A command that an interruption has ended is no answer.
      try Task<Never, Never>.checkCancellation()
      guard let answer else { continue }
      try session.answer.write(answer.bytes(layout: .compact) + [0x0A])
    }
    return .done
  }
}
