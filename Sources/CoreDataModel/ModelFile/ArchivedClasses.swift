/// The classes of an archived model with their superclasses, as archives list them.
enum ArchivedClasses {
  private static let parents: [String: String] = [
    "NSMutableArray": "NSArray", "NSMutableDictionary": "NSDictionary", "NSMutableSet": "NSSet",
    "NSMutableString": "NSString",
    "NSKnownKeysDictionary1": "NSKnownKeysDictionary",
    "NSKnownKeysDictionary": "NSMutableDictionary",
    "NSKnownKeysMappingStrategy1": "NSKnownKeysMappingStrategy",
    "NSAttributeDescription": "NSPropertyDescription",
    "NSDerivedAttributeDescription": "NSAttributeDescription",
    "NSCompositeAttributeDescription": "NSAttributeDescription",
    "NSRelationshipDescription": "NSPropertyDescription",
    "NSFetchedPropertyDescription": "NSPropertyDescription",
    "NSExpressionDescription": "NSPropertyDescription",
    "NSFetchRequest": "NSPersistentStoreRequest",
    "NSComparisonPredicate": "NSPredicate", "NSCompoundPredicate": "NSPredicate",
    "NSTruePredicate": "NSPredicate", "NSFalsePredicate": "NSPredicate",
    "NSPredicateOperator": "NSObject",
    "NSComparisonPredicateOperator": "NSPredicateOperator",
    "NSEqualityPredicateOperator": "NSPredicateOperator",
    "NSInPredicateOperator": "NSPredicateOperator",
    "NSBetweenPredicateOperator": "NSPredicateOperator",
    "NSStringPredicateOperator": "NSPredicateOperator",
    "NSSubstringPredicateOperator": "NSStringPredicateOperator",
    "NSMatchingPredicateOperator": "NSStringPredicateOperator",
    "NSLikePredicateOperator": "NSMatchingPredicateOperator",
    "NSSelfExpression": "NSExpression", "NSConstantValueExpression": "NSExpression",
    "NSVariableExpression": "NSExpression", "NSKeyPathSpecifierExpression": "NSExpression",
    "NSFunctionExpression": "NSExpression", "NSKeyPathExpression": "NSFunctionExpression",
    "NSAggregateExpression": "NSExpression", "NSSubqueryExpression": "NSExpression",
    "NSTernaryExpression": "NSExpression", "NSSetExpression": "NSExpression",
    "NSDecimalNumber": "NSNumber", "NSNumber": "NSValue",
  ]

  /// The superclasses of a class, nearest first; only `NSObject` for an unknown class.
  static func superclasses(of className: String) -> [String] {
    var names: [String] = []
    var next = className
    while let parent = parents[next] {
      names.append(parent)
      next = parent
    }
    if next != "NSObject" { names.append("NSObject") }
    return names
  }
}
