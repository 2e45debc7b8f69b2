internal import Foundation
internal import TestSupport
internal import Testing

/// XML stores as sources of commands.
@Suite struct XMLStoreCommandTests {
  /// A sandbox with a model in two versions, and an XML store of the first.
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    let script = """
      model() { mkdir -p "M.xcdatamodeld/$1.xcdatamodel"
      printf '<?xml version="1.0"?><model type="com.apple.IDECoreDataModeler.DataModel"><entity name="Trip" \
      representedClassName="Trip"><attribute name="name" optional="YES" attributeType="String"/><attribute \
      name="start" optional="YES" attributeType="Date"/>%s<relationship name="stops" optional="YES" toMany="YES" \
      ordered="YES" destinationEntity="Stop" inverseName="trip" inverseEntity="Trip"/></entity><entity name="Stop" \
      representedClassName="Stop"><attribute name="place" optional="YES" attributeType="String"/><relationship \
      name="trip" optional="YES" maxCount="1" destinationEntity="Trip" inverseName="stops" inverseEntity="Stop"/>\
      </entity></model>' "$2" > "M.xcdatamodeld/$1.xcdatamodel/contents"; }
      model 1 ''
      model 2 '<attribute name="note" optional="YES" attributeType="String"/>'
      cat > a.xml <<'END'
      <?xml version="1.0"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
      <database>
        <databaseInfo><version>134481920</version><UUID>6378045F-BB7F-4538-957F-4869F0F60E71</UUID>
          <metadata><plist version="1.0"><dict><key>theme</key><string>dark</string></dict></plist></metadata>
        </databaseInfo>
        <object type="TRIP" id="z102"><attribute name="name" type="string">Alps</attribute>
          <attribute name="start" type="date">123456789.12500000000000000000</attribute>
          <relationship name="stops" type="0/0" destination="STOP" idrefs="z104 z103"></relationship></object>
        <object type="STOP" id="z103"><attribute name="place" type="string">Brig</attribute>
          <relationship name="trip" type="1/1" destination="TRIP" idrefs="z102"></relationship></object>
        <object type="STOP" id="z104"><attribute name="place" type="string">Chur</attribute>
          <relationship name="trip" type="1/1" destination="TRIP" idrefs="z102"></relationship></object>
      </database>
      END
      """
    #expect(try sandbox.shell(script).status == 0)
    return sandbox
  }

  private static let model = "--model M.xcdatamodeld/1.xcdatamodel"

  /// Commands that read an XML store, and what they print.
  private static let reading: [(command: String, text: String)] = [
    ("verify a.xml MODEL", "objects     3"), ("inspect a.xml MODEL", "a.xml"),
    ("show a.xml Trip MODEL", "Alps"),
    ("show a.xml Stop --where 'trip.name == \"Alps\"' MODEL", "Chur"),
    ("sql a.xml 'SELECT place FROM Stop ORDER BY 1' MODEL", "Brig"),
    ("export a.xml a.coffer.tar.gz MODEL", "a.coffer.tar.gz"),
    ("tables export a.xml rows --format csv MODEL", "3 objects"),
    ("import a.xml b.sqlite MODEL", "Imported 3 objects"),
    (
      "migrate a.xml b.sqlite --model M.xcdatamodeld --model-version 2 --from 1",
      "Migrated 3 objects"
    ),
  ]

  @Test(arguments: reading)
  func everyCommandThatReadsTakesOne(_ command: (command: String, text: String)) throws {
    let sandbox = try sandbox()
    let result = try sandbox.shell(
      "coffer \(command.command.replacing("MODEL", with: Self.model)) 2> errors")
    let errors = try sandbox.shell("cat errors").output
    #expect(result.status == 0, "\(errors)")
    #expect((result.output + errors).contains(command.text), "\(result.output)\(errors)")
  }

  /// An import has the UUID, the keys, the order and the metadata of the file.
  @Test func anImportIsAnSQLiteStore() throws {
    let sandbox = try sandbox()
    let script = """
      coffer import a.xml b.sqlite \(Self.model) 2> /dev/null || exit
      coffer diff a.xml b.sqlite || exit
      sqlite3 b.sqlite 'SELECT Z_UUID FROM Z_METADATA; SELECT Z_PK, ZSTART FROM ZTRIP; \
      SELECT Z_PK FROM ZSTOP ORDER BY Z_FOK_TRIP'
      coffer inspect b.sqlite --values | grep -c theme
      """
    let result = try sandbox.shell(script)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(
      result.output.hasSuffix(
        "6378045F-BB7F-4538-957F-4869F0F60E71\n102|123456789.125\n104\n103\n1\n"),
      "\(result.output)")
  }

  /// A store of a framework that kept no copy of the model: the files are the same for `diff` and `merge`.
  @Test func anOldStoreEqualsItsExportAndItsImport() throws {
    let sandbox = try sandbox()
    let script = """
      sed -i 's/<key>theme/<key>NSPersistenceFrameworkVersion<\\/key><integer>407<\\/integer><key>theme/' a.xml
      coffer export a.xml a.coffer.tar.gz -q \(Self.model) 2> errors || exit
      coffer import a.xml b.sqlite -q \(Self.model) 2> errors || exit
      coffer diff a.xml a.coffer.tar.gz || exit
      coffer diff a.xml b.sqlite \(Self.model) || exit
      coffer diff a.xml a.xml \(Self.model) || exit
      sed -i 's/<integer>407/<integer>1526/' a.xml
      coffer import a.xml c.sqlite -q \(Self.model) 2> errors || exit
      sed 's/>Chur</>Visp</' a.xml > c.xml
      coffer merge c.sqlite c.xml --prefer theirs --base a.xml -o d.sqlite || exit
      coffer show d.sqlite Stop | grep -c Visp
      """
    let result = try sandbox.shell(script)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(result.output.hasSuffix("1\n"), "\(result.output)")
  }

  /// A store without a copy of its model gets one before an XML store is merged into it, as the hint says.
  @Test func aStoreWithoutAModelGetsOneForAMerge() throws {
    let sandbox = try sandbox()
    let script = """
      sed -i 's/<key>theme/<key>NSPersistenceFrameworkVersion<\\/key><integer>1526<\\/integer><key>theme/' a.xml
      coffer import a.xml b.sqlite -q \(Self.model) 2> errors || exit
      sqlite3 b.sqlite 'DROP TABLE Z_MODELCACHE'
      sed 's/>Chur</>Visp</' a.xml > c.xml
      coffer merge b.sqlite c.xml --prefer theirs --base a.xml
      echo $?
      coffer repair b.sqlite \(Self.model) --apply -q
      coffer merge b.sqlite c.xml -q --prefer theirs --base a.xml && coffer show b.sqlite Stop | grep -c Visp
      """
    let result = try sandbox.shell(script)
    #expect(result.output.hasPrefix("15\n"), "\(result.output)\(result.errorOutput)")
    #expect(result.errorOutput.contains("coffer repair b.sqlite --model MODEL --apply"))
    #expect(result.output.hasSuffix("1\n"), "\(result.output)\(result.errorOutput)")
  }

  /// Decimal numbers with more digits than an SQLite store keeps are a warning.
  @Test func roundedNumbersAreAWarning() throws {
    let sandbox = try sandbox()
    let script = """
      sed -i 's/attributeType="Date"/attributeType="Decimal"/' M.xcdatamodeld/1.xcdatamodel/contents
      sed -i 's/type="date">123456789.1/type="decimal">0.1234567890123456789/' a.xml
      coffer show a.xml Trip \(Self.model) > rows
      """
    let result = try sandbox.shell(script)
    #expect(result.status == 0)
    #expect(
      result.errorOutput.contains(
        "Warning: a.xml: 1 decimal number is rounded, because an SQLite store keeps about 16 digits"
      ),
      "\(result.errorOutput)")
  }

  @Test(arguments: [
    ("nope", "type=\"string\">x</attribute", "the model has no such property"),
    (
      "stops", "type=\"string\">x</attribute",
      "the model has a relationship of this name, not an attribute"
    ),
    (
      "start", "idrefs=\"z103\"></relationship",
      "the model has an attribute of this name, not a relationship"
    ),
  ])
  func errorsNameTheFile(_ name: String, _ rest: String, _ detail: String) throws {
    let sandbox = try sandbox()
    let kind = rest.split(separator: "/").last ?? ""
    let script = """
      sed -i '/name="start"/d; /name="stops"/d; /^ *$/d' a.xml
      sed -i 's|id="z102">|id="z102"><\(kind) name="\(name)" \(rest)>|; s|>Alps</attribute>|&</object>|' a.xml
      coffer verify a.xml \(Self.model)
      """
    let result = try sandbox.shell(script)
    #expect(result.status == 15)
    #expect(
      result.errorOutput.contains(
        "a.xml, z102.\(name) (line 7): the model does not match: \(detail)"),
      "\(result.errorOutput)")
  }

  /// An export takes no backup, whose name has the form of a path.
  @Test func anExportTakesNoBackup() throws {
    let result = try Sandbox().shell(
      "coffer backup Todo.sqlite vault > /dev/null 2>&1; coffer export vault#latest out.coffer.tar.gz"
    )
    #expect(result.status != 0)
    #expect(result.errorOutput.contains("vault#latest"), "\(result.errorOutput)")
  }
}
