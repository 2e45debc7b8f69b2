internal import Foundation
internal import TestSupport
internal import Testing

/// What a shell offers when the tabulator key is pressed.
@Suite(.enabled(if: ProcessRunner.find("bash") != nil, "needs bash")) struct CompletionTests {
  /// What bash offers for the last of some words.
  private func offered(_ words: String..., in sandbox: Sandbox) throws -> [String] {
    try offered(words, in: sandbox)
  }

  private func offered(_ words: [String], in sandbox: Sandbox) throws -> [String] {
    let runner = ProcessRunner(try #require(ProcessRunner.find("bash")))
    let script = try sandbox.coffer("--generate-completion-script", "bash").output
    try Data(script.utf8).write(to: URL(fileURLWithPath: sandbox.file("completions")))
    let result = try runner.run(
      [
        "-c",
        """
        cd "$0" && PATH=$1:$PATH && source ./completions && shift
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
        _coffer coffer "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2> /dev/null
        printf '%s\\n' "${COMPREPLY[@]}"
        """,
        sandbox.directory.path, (try BuiltProgram.path() as NSString).deletingLastPathComponent,
        "coffer",
      ] + words)
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: ["export", "import", "verify", "show", "merge", "repair"])
  func filesAreOffered(_ command: String) throws {
    let sandbox = try Sandbox()
    #expect(try offered(command, "Tod", in: sandbox).contains("Todo.sqlite"))
  }

  @Test func foldersAreOfferedForVaults() throws {
    let sandbox = try Sandbox()
    try FileManager.default.createDirectory(
      atPath: sandbox.file("Todos"), withIntermediateDirectories: true)
    #expect(try offered("vault", "list", "Tod", in: sandbox) == ["Todos"])
  }

  @Test func entitiesOfTheStoreAreOffered() throws {
    let sandbox = try Sandbox()
    #expect(try offered("show", "Todo.sqlite", "Todo", in: sandbox) == ["TodoEntity"])
    #expect(try offered("show", "Missing.sqlite", "Todo", in: sandbox) == [])
    #expect(
      try offered("diff", "Todo.sqlite", "Todo.sqlite", "--entity", "Ta", in: sandbox) == [
        "TagEntity"
      ])
  }

  /// Bash runs the commands in what it is offered.
  @Test func namesWithCommandsAreNotOffered() throws {
    let sandbox = try Sandbox()
    let model = """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="$(touch ran)"/><entity name="Tag"/></model>
      """
    _ = try sandbox.shell("mkdir M.xcdatamodel")
    _ = try sandbox.directory.write(Array(model.utf8), to: "M.xcdatamodel/contents")
    #expect(try offered("show", "M.xcdatamodel", "", in: sandbox) == ["Tag"])
    #expect(try sandbox.added() == ["M.xcdatamodel", "completions"])
  }

  @Test func valuesOfOptionsAreOffered() throws {
    let sandbox = try Sandbox()
    #expect(
      try sandbox.coffer("backup", "Todo.sqlite", "--vault", "V", "--series", "todos").status == 0)
    let listed = try sandbox.coffer("vault", "list", "V", "--json").output
    for (words, offer) in [
      (["tables", "export", "Todo.sqlite", "T", "--format", ""], "ndjson"),
      (["verify", "Todo.sqlite", "--format", ""], "sarif"),
      (["merge", "Todo.sqlite", "Todo.sqlite", "--policy", ""], "overwrite"),
      (["show", "Todo.sqlite", "TagEntity", "--columns", ""], "name"),
      (["show", "Todo.sqlite", "TagEntity", "--columns", "name,co"], "name,color"),
      (["vault", "list", "V", "--store", ""], "todos"),
    ] {
      #expect(try offered(words, in: sandbox).contains(offer), "\(words)")
    }
    let ids = try offered(["restore", "V", "New.sqlite", "--id", ""], in: sandbox)
    #expect(ids.count == 1)
    #expect(ids.allSatisfy { listed.contains("\"id\":\"\($0)\"") })
  }

  @Test func codesAndChecksAreOffered() throws {
    let sandbox = try Sandbox()
    #expect(
      try offered("verify", "Todo.sqlite", "--explain", "dangling", in: sandbox)
        .contains("dangling-relationship"))
    #expect(
      try offered("verify", "Todo.sqlite", "--check", "ver", in: sandbox).contains("versions"))
  }
}
