internal import Foundation

/// The real stores and the independent decoder that the tests compare with, given by the environment:
/// `COFFER_REAL_STORES` (a folder of stores) and `COFFER_ORACLES` (a folder with `modelcache.py`).
enum Oracle {
  static let storesPath = ProcessInfo.processInfo.environment["COFFER_REAL_STORES"]
  static let toolsPath = ProcessInfo.processInfo.environment["COFFER_ORACLES"]
  static let isAvailable = storesPath != nil && toolsPath != nil

  struct Failure: Error { let text: String }

  /// A model of the corpus: its bytes, and the result of the independent decoder.
  struct Sample: Decodable, Sendable {
    let path: String
    let content: Data
    let model: JSONValue
    var bytes: [UInt8] { [UInt8](content) }
  }

  /// All cached models of the real stores, in the order of their paths; read once.
  static let cachedModels: Result<[Sample], any Error> = Result { try samples("caches") }
  /// All model files of the corpus, in the order of their paths; read once.
  static let modelFiles: Result<[Sample], any Error> = Result { try samples("files") }

  /// All sources of models of the corpus, in the order of their paths; read once.
  static let sources: Result<[Sample], any Error> = Result { try samples("sources") }

  private static func samples(_ kind: String) throws -> [Sample] {
    let output = try run(kind, input: Data())
    return try output.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Sample.self, from: Data($0))
    }
  }

  /// The metadata of all stores as property lists, in the order of their paths; read once.
  static let metadata: Result<[Sample], any Error> = Result { try samples("metadata") }

  /// What the independent decoder makes of cached models, in their order.
  static func decode(_ caches: [[UInt8]]) throws -> [JSONValue] {
    let lines = caches.map { Data($0).base64EncodedString() }.joined(separator: "\n")
    let output = try run("decode", input: Data(lines.utf8))
    return try output.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(JSONValue.self, from: Data($0))
    }
  }

  private static func run(_ mode: String, input: Data) throws -> Data {
    let directory = FileManager.default.temporaryDirectory
      .appendingPathComponent("oracle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    // Files instead of pipes: no one has to empty them while the process runs.
    let inputURL = directory.appendingPathComponent("input")
    let outputURL = directory.appendingPathComponent("output")
    try input.write(to: inputURL)
    try Data().write(to: outputURL)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script, mode, toolsPath ?? "", storesPath ?? ""]
    process.standardInput = try FileHandle(forReadingFrom: inputURL)
    process.standardOutput = try FileHandle(forWritingTo: outputURL)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(text: "the oracle ended with \(process.terminationStatus)")
    }
    return try Data(contentsOf: outputURL)
  }

  private static let script = """
    import base64, datetime, json, os, plistlib, sqlite3, sys
    mode, tools, stores = sys.argv[1:4]
    sys.path.insert(0, tools)
    sys.dont_write_bytecode = True
    import modelcache as m
    def model(archive): return m.model_json(m.Archive(archive).root(), 'modelcache')
    def say(x): print(json.dumps(x))
    def plain(v):
        if isinstance(v, bytes): return {'$data': base64.b64encode(v).decode()}
        if isinstance(v, datetime.datetime):
            return {'$date': (v - datetime.datetime(2001, 1, 1)).total_seconds()}
        if isinstance(v, plistlib.UID): return {'$uid': v.data}
        if isinstance(v, list): return [plain(x) for x in v]
        if isinstance(v, dict): return {k: plain(x) for k, x in v.items()}
        return v
    def decimal(v):
        from decimal import Decimal
        sign, digits, exponent = Decimal(str(v)).normalize().as_tuple()
        mantissa = int(''.join(map(str, digits)))
        raw = base64.b64encode(mantissa.to_bytes(16, 'little')).decode()
        return {'$class': 'NSDecimalNumber', 'NS.exponent': exponent if mantissa else 0,
                'NS.mantissa': {'$data': raw}, 'NS.mantissa.bo': 1, 'NS.negative': bool(sign),
                'NS.compact': True, 'NS.length': (mantissa.bit_length() + 15) // 16}
    if mode == 'decode':
        for line in sys.stdin: say(model(m.inflate(base64.b64decode(line))))
        sys.exit()
    paths = sorted(os.path.join(d, f) for d, _, fs in os.walk(stores) for f in fs)
    for path in paths:
        with open(path, 'rb') as f: start = f.read(16)
        if mode == 'sources':
            if not path.endswith('.xcdatamodel/contents'): continue
            import xcmodel
            content, decoded = open(path, 'rb').read(), xcmodel.load(path)
            # A decimal number is an object in a compiled model.
            for e in decoded['entities']:
                for p in e['properties']:
                    if p.get('type') == 400 and p['default'] is not None:
                        p['default'] = decimal(p['default'])
            say({'path': os.path.relpath(path, stores),
                 'content': base64.b64encode(content).decode(), 'model': decoded})
            continue
        if mode == 'files':
            if not path.endswith('.mom') or not start.startswith(b'bplist'): continue
            content = open(path, 'rb').read()
            decoded = model(content)
        else:
            if start != b'SQLite format 3\\0': continue
            connection = m.open_copy(path)
            query = 'select Z_CONTENT from Z_MODELCACHE'
            if mode == 'metadata': query = 'select Z_PLIST from Z_METADATA'
            try: rows = connection.execute(query).fetchall()
            except sqlite3.OperationalError: continue
            if not rows or rows[0][0] is None: continue
            content = rows[0][0]
            if mode == 'metadata': decoded = plain(plistlib.loads(content))
            else: decoded = model(m.inflate(content))
        say({'path': os.path.relpath(path, stores), 'content': base64.b64encode(content).decode(),
             'model': decoded})
    """
}
