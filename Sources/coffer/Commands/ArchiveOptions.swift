internal import ArgumentParser
internal import CofferKit

/// The options of every command that reads archives.
struct ArchiveOptions: ParsableArguments {
  @Option(
    name: .customLong("limit"),
    help: ArgumentHelp(
      "Raise a limit on what an archive may contain; repeatable.", valueName: "name=value"),
    transform: LimitArgument.init)
  var limits: [LimitArgument] = []

  @OptionGroup var keys: KeyOptions

  /// How archives are read.
  ///
  /// - Parameters:
  ///   - session: who is told of a file that others can read.
  ///   - archive: what the command reads; where it is `-`, standard input has no key.
  /// - Returns: how they are read.
  /// - Throws: what reading the files that the options name throws.
  func access(_ session: Session, reading archive: String = "") throws -> ArchiveAccess {
    try keys.access(session, reading: archive, limits: limits)
  }
}
