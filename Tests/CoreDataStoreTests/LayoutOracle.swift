internal import CoreDataLayout
internal import CoreDataModel
internal import CoreDataStore
internal import Foundation
internal import TestSupport

/// The independent generator of schemas, asked for the columns and statements of many stores at once.
///
/// It is a program in Python that shares nothing with the code under test: it reads the cached
/// model and the schema itself.
enum LayoutOracle {
  /// The oracle's report about a store; every entry is one line of words.
  struct Answer: Decodable {
    /// `kind entity property column`, with the kinds of ``LayoutOracle/columns(of:)``.
    var columns: Set<String>
    /// `table entity relationship column`, for both sides.
    var joins: Set<String>
    /// The statements of a fresh store for the model.
    var statements: Set<String>
  }

  private static let program = """
    import sys, os, json, plistlib
    sys.path.insert(0, os.environ['COFFER_ORACLES'])
    import ddl, modelcache
    out = {}
    for path in sys.stdin.read().split(chr(10)):
        if not path: continue
        c = modelcache.open_copy(path)
        tables = {n: q for n, q in c.execute("select name, sql from sqlite_master where type='table'")}
        if 'Z_MODELCACHE' not in tables: c.close(); continue
        model = modelcache.load_store(path)
        ents = {n: e for e, n in c.execute('select Z_ENT, Z_NAME from Z_PRIMARYKEY where Z_ENT < 16000')}
        fw = plistlib.loads(c.execute('select Z_PLIST from Z_METADATA').fetchone()[0])
        c.close()
        for e in model['entities']:
            if e['name'] not in ents and e.get('renamingID') in ents:
                ents[e['name']] = ents.pop(e['renamingID'])
        hints = {n: [x.split()[0] for x in ddl.cols(q)] for n, q in tables.items()
                 if n.startswith('Z') and '(' in q}
        s = ddl.Store(model, ents, 1400, hints)
        columns = []
        for key, column in s.col.items():
            if len(key) == 2:
                r = next((p for p in s.E[key[0]]['properties'] if p['name'] == key[1]), None)
                kind = 'toOne' if r and r['kind'] == 'relationship' else 'attribute'
                columns.append(' '.join([kind, key[0], key[1], column]))
            else:
                kind = {'$ent': 'entity', '$fok': 'order', '$uni': 'owner', '$unifok': 'ownerOrder'}[key[0]]
                columns.append(' '.join([kind, key[1], key[2], column]))
        joins = []
        for table, j in s.join.items():
            for side, column in ((j['first'], j['cols'][0][0]), (j['second'], j['cols'][1][0])):
                joins.append(' '.join([table, side[0], side[1], column]))
            for column, _ in j['cols'][2:]: joins.append(' '.join([table, 'order', column]))
        fresh = ddl.Store(modelcache.load_store(path), None, fw['NSPersistenceFrameworkVersion'], hints)
        out[path] = {'columns': columns, 'joins': joins,
                     'statements': sorted(fresh.statements().values())}
    print(json.dumps(out))
    """

  /// The answers for all stores that cache their model, by their paths.
  static let answers: Result<[String: Answer], any Error> = Result {
    let paths = RealStores.any.map(\.path).joined(separator: "\n")
    let result = try Oracle.run(program: program, input: Array(paths.utf8))
    return try JSONDecoder().decode([String: Answer].self, from: Data(result.outputBytes))
  }

  /// The columns of a layout in the words of the oracle.
  static func columns(of layout: StoreLayout) -> Set<String> {
    var found: Set<String> = []
    for table in layout.entityTables {
      for column in table.columns {
        let words: [String]? =
          switch column.role {
          case .attribute(let path, _, _, let entity):
            ["attribute", entity.text, path.joined(separator: ".")]
          case .toOne(let name, let entity): ["toOne", entity.text, name.text]
          case .toOneEntity(let name, let entity): ["entity", entity.text, name.text]
          case .order(let name, let entity): ["order", entity.text, name.text]
          case .owner(let entity, let name): ["owner", entity.text, name.text]
          case .ownerOrder(let entity, let name): ["ownerOrder", entity.text, name.text]
          case .primaryKey, .entityNumber, .version, .source, .destination, .destinationOrder,
            .sourceOrder, .plain:
            nil
          }
        if let words { found.insert((words + [column.storedName]).joined(separator: " ")) }
      }
    }
    return found
  }

  /// The join tables of a layout in the words of the oracle.
  static func joins(of layout: StoreLayout) -> Set<String> {
    var found: Set<String> = []
    for table in layout.joinTables {
      let (source, destination) = (table.source, table.destination)
      let name = table.tableName
      found.insert("\(name) \(source.entity) \(source.property) \(table.sourceColumn)")
      found.insert(
        "\(name) \(destination.entity) \(destination.property) \(table.destinationColumn)")
      for column in [table.orderColumn, table.inverseOrderColumn].compactMap(\.self) {
        found.insert("\(name) order \(column)")
      }
    }
    return found
  }
}
