internal import CoreDataStore
internal import Foundation
internal import TestSupport

/// The independent generator of schemas, asked for the statements of many stores at once.
enum DesignOracle {
  private static let program = """
    import sys, os, json, plistlib
    sys.path.insert(0, os.environ['COFFER_ORACLES'])
    import ddl, modelcache
    root = os.environ['COFFER_REAL_STORES']
    out = {}
    for path in sys.stdin.read().split(chr(10)):
        if not path: continue
        full = os.path.join(root, path)
        c = modelcache.open_copy(full)
        tables = {n: q for n, q in c.execute("select name, sql from sqlite_master where type='table'")}
        if 'Z_MODELCACHE' not in tables: c.close(); continue
        model = modelcache.load_store(full)
        fw = plistlib.loads(c.execute('select Z_PLIST from Z_METADATA').fetchone()[0])
        c.close()
        hints = {n: [x.split()[0] for x in ddl.cols(q)] for n, q in tables.items()
                 if n.startswith('Z') and '(' in q}
        s = ddl.Store(model, None, fw['NSPersistenceFrameworkVersion'], hints)
        out[path] = sorted(s.statements().values())
    print(json.dumps(out))
    """

  /// The statements for all stores that cache their model, by the names of the stores.
  static let answers: Result<[String: [String]], any Error> = Result {
    guard let python = ProcessRunner.find("python3") else { throw CocoaError(.featureUnsupported) }
    var environment = ProcessInfo.processInfo.environment
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    environment["PYTHONIOENCODING"] = "utf-8"
    let names = RealStores.all.map(\.name).joined(separator: "\n")
    let result = try ProcessRunner(python, environment: environment)
      .run(["-c", program], input: Array(names.utf8))
    return try JSONDecoder().decode([String: [String]].self, from: Data(result.outputBytes))
  }
}
