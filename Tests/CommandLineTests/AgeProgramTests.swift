internal import Foundation
internal import TestSupport
internal import Testing

/// The program `age` is the judge: it opens what coffer encrypts, and encrypts what coffer opens.
@Suite(
  .enabled(
    if: ProcessRunner.find("age") != nil && ProcessRunner.find("age-keygen") != nil,
    "needs the programs age and age-keygen (the package age)"))
struct AgeProgramTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    let made = try sandbox.shell("age-keygen -o key; age-keygen -o other")
    #expect(made.status == 0)
  }

  private func expectDone(_ script: String, location: SourceLocation = #_sourceLocation) throws {
    let result = try sandbox.shell("R=$(age-keygen -y key)\nO=$(age-keygen -y other)\n\(script)")
    #expect(result.status == 0, "\(result.errorOutput)", sourceLocation: location)
  }

  @Test func ageOpensOurs() throws {
    try expectDone(
      """
      coffer export -q Todo.sqlite plain || exit 90
      coffer export -q Todo.sqlite ours.age --encrypt-to $O --encrypt-to $R || exit 91
      age -d -i key ours.age | cmp - plain || exit 92
      age -d -i other < ours.age | tar tzf - | grep -q '^index.json$' || exit 93
      coffer export -q Todo.sqlite - --encrypt-to $R | age -d -i key | cmp - plain || exit 94
      ! age -d -i other < /dev/null 2> /dev/null || exit 95
      """)
  }

  @Test func weOpenThoseOfAge() throws {
    try expectDone(
      """
      coffer export -q Todo.sqlite - | age -r $O -r $R > theirs.age || exit 90
      coffer import -q theirs.age Copy.sqlite --identity key || exit 91
      coffer diff -q theirs.age Todo.sqlite --identity other || exit 92
      age -r $R < theirs.age | age -d -i key | coffer verify -q - --identity key || exit 93
      """)
  }

  /// A full archive and two backups of changes, by a machine that has no key.
  @Test func ageOpensAVaultWhoseMachineHasNoSecret() throws {
    try expectDone(
      """
      mkdir safe && mv key other safe
      coffer backup -q Todo.sqlite --vault V --encrypt-to $R --encrypt-to $O || exit 90
      sqlite3 Todo.sqlite "UPDATE ZTAGENTITY SET ZNAME = 'house' WHERE Z_PK = 1"
      coffer backup -q Todo.sqlite --vault V || exit 91
      sqlite3 Todo.sqlite "UPDATE ZTAGENTITY SET ZNAME = 'garden' WHERE Z_PK = 1"
      coffer backup -q Todo.sqlite --vault V || exit 92
      [ $(ls V/*/*-full.*.age | wc -l) = 1 ] && [ $(ls V/*/*-changes-*.age | wc -l) = 2 ] || exit 93
      ! coffer restore -q V No.sqlite 2> /dev/null || exit 94
      for key in safe/key safe/other; do
        for file in V/*/*.age; do
          age -d -i $key $file > opened.tar.gz || exit 95
          tar tzf opened.tar.gz | grep -q '^index.json$' || exit 96
        done
      done
      coffer restore -q V Copy.sqlite --identity safe/other || exit 97
      coffer diff -q Copy.sqlite Todo.sqlite || exit 98
      """)
  }

  @Test func tenMegabytesGoThroughPipes() throws {
    var options = GeneratorOptions()
    options.objectCount = 30_000
    options.externalCount = 20
    try StoreMaker.write(to: sandbox.file("Big.sqlite"), options)
    try expectDone(
      """
      head -c 9000003 /dev/urandom > $(find .Big_SUPPORT -type f | head -1) || exit 89
      coffer export -q Big.sqlite - --encrypt-to $R | tee big.age \
        | age -d -i key | age -r $O | coffer import -q - Copy.sqlite --identity other || exit 90
      [ $(wc -c < big.age) -gt 9000000 ] || exit 91
      coffer diff -q Big.sqlite Copy.sqlite || exit 92
      coffer diff -q big.age Copy.sqlite --identity key || exit 93
      coffer verify -q big.age --identity key || exit 94
      """)
  }

  @Test func passphrasesOfAgeAreTypedOnATerminal() throws {
    guard let python = ProcessRunner.find("python3"),
      try sandbox.shell("\(python) -c 'import pexpect'").status == 0
    else { return }
    let program = """
      import pexpect, sys
      child = pexpect.spawn(sys.argv[1], sys.argv[3:], timeout=60)
      for _ in range(int(sys.argv[2])):
          child.expect('assphrase')
          child.sendline('correct horse')
          child.expect('[\\\\r\\\\n]')
      child.expect(pexpect.EOF)
      child.close()
      sys.exit(child.exitstatus)
      """
    _ = try sandbox.directory.write(program.utf8, to: "type.py")
    _ = try sandbox.directory.write("correct horse\n".utf8, to: "pass")
    try expectDone(
      """
      chmod 600 pass
      coffer export -q Todo.sqlite plain || exit 90
      coffer export -q Todo.sqlite ours.age --passphrase-file pass || exit 91
      python3 type.py age 1 -d -o opened ours.age || exit 92
      cmp opened plain || exit 93
      python3 type.py age 2 -p -o theirs.age plain || exit 94
      coffer verify -q theirs.age --passphrase-file pass || exit 95
      """)
  }
}
