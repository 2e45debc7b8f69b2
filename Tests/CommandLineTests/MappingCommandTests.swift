internal import Foundation
internal import TestSupport
internal import Testing

/// Migrations with mapping models, from the command line.
@Suite struct MappingCommandTests {
  /// Xcode's form of a model in a mapping model.
  private static let ownForm =
    "YnBsaXN0MDDUAQIDBAUGERRZJGFyY2hpdmVyWCRvYmplY3RzVCR0b3BYJHZlcnNpb25fEA9OU0tleWVkQXJjaGl2ZXKjBwgLVSRudWxs0"
    + "QkKViRjbGFzc4AC0gwNDg9YJGNsYXNzZXNaJGNsYXNzbmFtZaIPEFlYRFBNTW9kZWxYTlNPYmplY3TREhNUcm9vdIABEgABhqAIERsk"
    + "KTJESE5RWFpfaHN2gImMkZMAAAAAAAABAQAAAAAAAAAVAAAAAAAAAAAAAAAAAAAAmA=="

  /// A sandbox with three versions of a model, a store of the first with two objects, and a mapping model from 1
  /// to 3, which cannot be inferred.
  private func sandbox(policy: String = "") throws -> Sandbox {
    let sandbox = try Sandbox()
    let script = """
      model() { mkdir -p "M.xcdatamodeld/$1.xcdatamodel"
      printf '<?xml version="1.0"?><model type="com.apple.IDECoreDataModeler.DataModel"><entity name="Trip" \
      representedClassName="Trip">%s</entity></model>' "$2" > "M.xcdatamodeld/$1.xcdatamodel/contents"; }
      model 1 '<attribute name="name" optional="YES" attributeType="String"/>'
      model 2 '<attribute name="title" optional="YES" attributeType="String" elementID="name"/>'
      model 3 '<attribute name="name" optional="YES" attributeType="Date"/>'
      coffer create M.xcdatamodeld Old.sqlite --model-version 1 --objects 2 2> /dev/null
      mkdir 'One to three.xcmappingmodel'
      cat > 'One to three.xcmappingmodel/xcmapping.xml' <<'END'
      <?xml version="1.0"?>
      <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
      <database><object type="XDDEVENTITYMAPPING" id="z102"><attribute name="sourcename">Trip</attribute>
      <attribute name="destinationname">Trip</attribute><attribute name="mappingnumber">1</attribute>
      <attribute name="migrationpolicyclassname">\(policy)</attribute>
      <attribute name="autogenerateexpression">1</attribute></object>
      <object type="XDDEVMAPPINGMODEL" id="z103"><attribute name="sourcemodelpath">App/M.xcdatamodeld/1.xcdatamodel\
      </attribute><attribute name="sourcemodeldata">\(Self.ownForm)</attribute>
      <attribute name="destinationmodelpath">App/M.xcdatamodeld/3.xcdatamodel</attribute>
      <attribute name="destinationmodeldata">\(Self.ownForm)</attribute>
      <relationship name="entitymappings" idrefs="z102"></relationship></object></database>
      END
      """
    let result = try sandbox.shell(script)
    #expect(result.status == 0, "\(result.errorOutput)")
    return sandbox
  }

  private static let migration = [
    "migrate", "Old.sqlite", "New.sqlite", "--from", "1", "--model", "M.xcdatamodeld",
  ]

  @Test func theMappingModelNextToTheVersionsCounts() throws {
    let sandbox = try sandbox()
    let result = try sandbox.run(Self.migration + ["--model-version", "3"])
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(
      result.output.hasPrefix(
        """
        Migrated 2 objects of 1 entity to New.sqlite
          model          1 → 3
          mapping model  One to three.xcmappingmodel

        """), "\(result.output)")
    let rows = try sandbox.shell("sqlite3 New.sqlite 'SELECT Z_PK, Z_OPT, ZNAME FROM ZTRIP'")
    #expect(rows.output == "1|1|\n2|1|\n")
  }

  @Test func withoutItTheMigrationIsRefused() throws {
    let sandbox = try sandbox()
    #expect(try sandbox.shell("mkdir away && mv One* away").status == 0)
    let arguments = Self.migration + ["--model-version", "3"]
    #expect(try sandbox.run(arguments).status == 15)
    let found = try sandbox.run(arguments + ["--mapping-folder", "away"])
    #expect(found.status == 0, "\(found.errorOutput)")
    let both = try sandbox.run(
      arguments + ["--mapping-folder", "away", "--mapping", "away/One to three.xcmappingmodel"])
    #expect(both.status == 64)
    // It is for other versions.
    let other = try sandbox.run(
      Self.migration + ["--model-version", "2", "--mapping-folder", "away", "--force", "--json"])
    #expect(other.status == 0, "\(other.errorOutput)")
    #expect(other.output.contains("\"mappingModels\":[null]"), "\(other.output)")
  }

  @Test func itMayComeThroughAPipe() throws {
    let sandbox = try sandbox()
    let result = try sandbox.shell(
      """
      cat 'One to three.xcmappingmodel/xcmapping.xml' | coffer migrate Old.sqlite New.sqlite \
        --from 1 --model M.xcdatamodeld --model-version 3 --mapping /dev/stdin
      """)
    #expect(result.output.contains("mapping model  stdin\n"), "\(result.errorOutput)")
  }

  @Test func theMatrixNamesIt() throws {
    let sandbox = try sandbox()
    let text = try sandbox.run(["model", "--matrix", "M.xcdatamodeld"])
    #expect(
      text.output.contains("1 → 3: one step, by One to three.xcmappingmodel\n"), "\(text.output)")
    #expect(text.output.contains("1 → 2: one step\n"), "\(text.output)")
    let json = try sandbox.run(["model", "--matrix", "M.xcdatamodeld", "--json"])
    #expect(
      json.output.contains("\"mappingModels\":[\"One to three.xcmappingmodel\"]"), "\(json.output)")
  }

  /// With the folder of the versions, only what differs from inference is shown.
  @Test func itIsComparedWithInference() throws {
    let sandbox = try sandbox()
    let arguments = ["model", "One to three.xcmappingmodel", "M.xcdatamodeld"]
    let text = try sandbox.run(arguments)
    #expect(text.status == 0, "\(text.errorOutput)")
    #expect(
      text.output.hasPrefix(
        "One to three.xcmappingmodel: 1 entity mapping, 1 unlike the inferred ones from 1 to 3\n"),
      "\(text.output)")
    #expect(
      text.output.contains("~ 1 TripToTrip: Trip → Trip\n    only defaults: name\n"),
      "\(text.output)")
    #expect(text.output.contains("inference is not possible: Trip.name: "), "\(text.output)")
    let json = try sandbox.run(arguments + ["--json"])
    #expect(
      json.output.contains("\"different\":1,\"omitted\":[\"TripToTrip.name\"],\"leftBehind\":[]"),
      "\(json.output)")
    let file = try sandbox.run([
      "model", "One to three.xcmappingmodel", "M.xcdatamodeld/1.xcdatamodel",
    ])
    #expect(file.status == 10)
    #expect(file.errorOutput.contains("it is not a folder of versions"), "\(file.errorOutput)")
  }

  @Test func aClassOfTheAppIsRefusedByName() throws {
    let sandbox = try sandbox(policy: "App.Dates")
    let arguments = Self.migration + ["--model-version", "3"]
    let refused = try sandbox.run(arguments)
    #expect(refused.status == 4, "\(refused.errorOutput)")
    #expect(
      refused.errorOutput.contains("Trip: the class App.Dates of the app carries its objects"))
    #expect(refused.errorOutput.contains("--policy-default App.Dates"))
    let done = try sandbox.run(arguments + ["--policy-default", "App.Dates"])
    #expect(done.status == 0, "\(done.errorOutput)")
    #expect(
      done.errorOutput.contains(
        "2 objects of Trip are carried over without the class App.Dates, so that they only have defaults "
          + "for: name"), "\(done.errorOutput)")
  }
}
