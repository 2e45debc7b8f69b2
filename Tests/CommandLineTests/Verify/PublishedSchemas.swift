internal import Foundation
internal import TestSupport

/// The schemas that readers of reports check them with, where `scripts/fetch-schemas` has put them.
enum PublishedSchemas {
  /// A schema.
  enum Schema: String {
    /// That of Jenkins' xUnit plugin.
    case junit = "junit-10.xsd"
    /// That of OASIS.
    case sarif = "sarif-schema-2.1.0.json"
  }

  /// The folder of the schemas.
  private static let folder: String = {
    var url = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { url.deleteLastPathComponent() }
    return url.appendingPathComponent(".build/schemas").path
  }()

  private static let python = ProcessRunner.find("python3")

  /// Whether documents can be checked.
  static let areThere =
    python != nil && FileManager.default.fileExists(atPath: "\(folder)/complete")

  private static let script = """
    import json, sys
    folder, schema, path = sys.argv[1:]
    sys.path.insert(0, folder + "/python")
    if schema.endswith(".xsd"):
        import xmlschema
        errors = xmlschema.XMLSchema(folder + "/" + schema).iter_errors(path)
    else:
        import jsonschema
        with open(folder + "/" + schema) as file:
            rules = json.load(file)
        with open(path) as file:
            errors = jsonschema.validators.validator_for(rules)(rules).iter_errors(json.load(file))
    for error in errors:
        print(str(error)[:500])
    """

  /// What is wrong with a document; empty where nothing is.
  static func problems(of text: String, _ schema: Schema) throws -> String {
    let folder = try TemporaryDirectory()
    let path = try folder.write(Array(text.utf8), to: "document")
    guard let python else { return "no python3" }
    var environment = ProcessInfo.processInfo.environment
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    environment["PYTHONUTF8"] = "1"
    let result = try ProcessRunner(python, environment: environment)
      .run(["-c", script, self.folder, schema.rawValue, path])
    return result.output + result.errorOutput
  }
}
