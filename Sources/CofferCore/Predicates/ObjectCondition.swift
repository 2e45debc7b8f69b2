package import CoreDataModel

/// A predicate that is evaluated on objects one by one.
///
/// Key paths are the names of attributes, with the elements of composite ones after dots, and of to-one
/// relationships: their value is the primary key of the destination, and its properties can follow after
/// a dot. Constants are of the type of what
/// they are compared with, or an error: dates are instants, whatever their form.
package struct ObjectCondition {
  private var tests: [Name: ObjectTest] = [:]
  /// Whether other objects have to be read, which only a store can do.
  package private(set) var needsOtherObjects = false
  /// The predicate and the file, for errors.
  private let text: String
  private let path: String

  /// Reads a predicate.
  ///
  /// - Parameters:
  ///   - text: the predicate.
  ///   - entity: the entity to evaluate it for, including its subentities.
  ///   - model: the model.
  ///   - path: the file, for errors.
  /// - Throws: ``CofferError``: `invalid-condition`, `no-such-property`; the place is marked.
  package init(
    _ text: String, of entity: Name, in model: ManagedObjectModel, path: String
  ) throws(CofferError) {
    self.text = text
    self.path = path
    let located: LocatedPredicate
    do throws(PredicateError) { located = try LocatedPredicate(parsing: text) } catch {
      throw ConditionFault(error).error(in: text, path: path)
    }
    let now = ConditionExpression.now
    for name in model.tree(of: entity).map(\.name) {
      let properties = ConditionProperties(of: name, asked: entity, in: model)
      var reader = ConditionReader(located, properties, model, now: now)
      do throws(ConditionFault) { tests[name] = try reader.test(located.predicate) } catch {
        throw error.error(in: text, path: path)
      }
      needsOtherObjects = needsOtherObjects || reader.needsOtherObjects
    }
  }

  /// The test of the objects of an entity; nil for an entity without one.
  func test(of entity: Name) -> ObjectTest? { tests[entity] }

  /// Whether an object fulfils the condition.
  ///
  /// - Parameters:
  ///   - object: the object.
  ///   - scope: the scope of its source, the same for all objects.
  /// - Returns: also false for an object of an entity that is not queried.
  /// - Throws: ``CofferError`` where a large text or another object cannot be read, and `invalid-condition` for
  ///   a regular expression that takes too long; `CancellationError`.
  package func holds(for object: ObjectRow, in scope: ConditionScope) throws -> Bool {
    scope[0] = object
    do {
      return try tests[object.id.entityName]?.holds(in: scope) ?? false
    } catch let fault as ConditionFault {
      throw fault.error(in: text, path: path)
    }
  }
}
