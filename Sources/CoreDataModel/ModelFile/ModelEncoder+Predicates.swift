extension ModelEncoder {
  /// Core Data's numbers for the kinds of expressions.
  private enum ExpressionType {
    static let constant: Int64 = 0
    static let evaluatedObject: Int64 = 1
    static let variable: Int64 = 2
    static let keyPath: Int64 = 3
    static let function: Int64 = 4
    static let keyPathSpecifier: Int64 = 10
    static let aggregate: Int64 = 14
  }

  mutating func fetchIndexes(of entity: EntityDescription) -> PropertyListValue {
    var indexes: [PropertyListValue] = []
    var expressionCount = 0
    for index in entity.fetchIndexes {
      let reference = builder.reserve()
      var elements: [PropertyListValue] = []
      for element in index.elements {
        var fields: Fields = [
          ("NSAscending", .bool(element.isAscending)),
          ("NSFetchIndexElementType", .integer(Int64(element.kind))),
          ("NSFetchIndexDescription", reference.value),
        ]
        if let expression = element.expression {
          expressionCount += 1
          let name = builder.string("expression\(expressionCount)")
          fields.append(("NSPropertyName", name))
          fields.append(("NSIndexedProperty", indexed(expression, name: name)))
        } else {
          fields.append(("NSPropertyName", builder.string(element.propertyName?.text)))
        }
        elements.append(builder.object("NSFetchIndexElementDescription", fields))
      }
      builder.fill(
        reference, "NSFetchIndexDescription",
        [
          ("NSIndexName", builder.string(index.name.text)),
          ("NSEntity", self.reference(toEntity: entity.name)),
          ("NSIndexElements", builder.array(elements)),
          (
            "NSPartialIndexPredicate",
            index.partialIndexPredicate.map { predicate($0) } ?? Self.null
          ),
        ])
      indexes.append(reference.value)
    }
    return builder.array(indexes)
  }

  /// The nameless property that an index over an expression refers to.
  private mutating func indexed(
    _ expression: ModelExpression, name: PropertyListValue
  ) -> PropertyListValue {
    let objectIDType: Int64 = 2000
    return builder.object(
      "NSExpressionDescription",
      [
        ("NSPropertyName", name), ("NSRenamingIdentifier", name), ("NSEntity", Self.null),
        ("NSIsOptional", .bool(true)), ("NSIsReadOnly", .bool(true)), ("_P", .integer(247)),
        ("NSExpressionType", .integer(expression == .evaluatedObject ? objectIDType : 0)),
        ("NSExpression", self.expression(expression)),
      ])
  }

  mutating func predicate(_ predicate: ModelPredicate) -> PropertyListValue {
    switch predicate {
    case .comparison(let left, let comparison, let right):
      return builder.object(
        "NSComparisonPredicate",
        [
          ("NSLeftExpression", expression(left)), ("NSRightExpression", expression(right)),
          ("NSPredicateOperator", predicateOperator(comparison)),
        ])
    case .not(let part): return compound(0, [part])
    case .and(let parts): return compound(1, parts)
    case .or(let parts): return compound(2, parts)
    case .other(let value): return builder.value(value)
    }
  }

  private mutating func compound(_ type: Int64, _ parts: [ModelPredicate]) -> PropertyListValue {
    let archived = parts.map { predicate($0) }
    return builder.object(
      "NSCompoundPredicate",
      [("NSCompoundPredicateType", .integer(type)), ("NSSubpredicates", builder.array(archived))])
  }

  /// Foundation's class for an operator.
  ///
  /// Those for comparisons, equality and containment were seen in stores; the others follow the
  /// names of Foundation's classes.
  private mutating func predicateOperator(
    _ comparison: ModelPredicate.Operator
  ) -> PropertyListValue {
    let number = Int64(comparison.rawValue)
    let options = PropertyListValue.integer(Int64(comparison.options))
    var fields: Fields = [
      ("NSOperatorType", .integer(number)), ("NSModifier", .integer(Int64(comparison.modifier))),
    ]
    switch number {
    case 0...3:
      fields += [("NSVariant", .integer(number)), ("NSOptions", options)]
      return builder.object("NSComparisonPredicateOperator", fields)
    case 4, 5:
      fields += [("NSNegate", .bool(number == 5)), ("NSOptions", options)]
      return builder.object("NSEqualityPredicateOperator", fields)
    case 10, 99:
      fields.append(("NSFlags", options))
      return builder.object("NSInPredicateOperator", fields)
    case 6, 7:
      fields.append(("NSFlags", options))
      return builder.object(
        number == 6 ? "NSMatchingPredicateOperator" : "NSLikePredicateOperator", fields)
    case 8, 9:
      fields += [("NSPosition", .integer(number - 8)), ("NSFlags", options)]
      return builder.object("NSSubstringPredicateOperator", fields)
    case 100:
      fields.append(("NSOptions", options))
      return builder.object("NSBetweenPredicateOperator", fields)
    default:
      fields.append(("NSOptions", options))
      return builder.object("NSPredicateOperator", fields)
    }
  }

  mutating func expression(_ expression: ModelExpression) -> PropertyListValue {
    switch expression {
    case .evaluatedObject:
      return self.object("NSSelfExpression", ExpressionType.evaluatedObject, [])
    case .constant(let value):
      var fields: Fields = [("NSConstantValue", builder.value(value))]
      // Foundation archives the null constant by an empty class name.
      if value == nil { fields = [("NSConstantValueClassName", Self.null)] }
      return object("NSConstantValueExpression", ExpressionType.constant, fields)
    case .variable(let name):
      return object(
        "NSVariableExpression", ExpressionType.variable, [("NSVariable", builder.string(name))])
    case .keyPath(let operand, let path): return keyPath(operand, path)
    case .function(let operand, let name, let arguments):
      let archivedOperand = operand.map { self.expression($0) } ?? functionsOperand()
      let archived = arguments.map { self.expression($0) }
      return object(
        "NSFunctionExpression", ExpressionType.function,
        [
          ("NSOperand", archivedOperand), ("NSSelectorName", builder.string(name)),
          ("NSArguments", builder.array(archived)),
        ])
    case .aggregate(let parts):
      let archived = parts.map { self.expression($0) }
      return object(
        "NSAggregateExpression", ExpressionType.aggregate,
        [("NSCollection", builder.array(archived))])
    case .other(let value): return builder.value(value)
    }
  }

  private mutating func keyPath(_ operand: ModelExpression?, _ path: String) -> PropertyListValue {
    let specifier = object(
      "NSKeyPathSpecifierExpression", ExpressionType.keyPathSpecifier,
      [("NSKeyPath", builder.string(path))])
    // Of the object itself, a single key is asked for by `valueForKey:`.
    let isSingle = operand == nil && !path.contains(".")
    return object(
      "NSKeyPathExpression", operand == nil ? ExpressionType.keyPath : ExpressionType.function,
      [
        ("NSOperand", expression(operand ?? .evaluatedObject)),
        ("NSSelectorName", builder.string(isSingle ? "valueForKey:" : "valueForKeyPath:")),
        ("NSArguments", builder.array([specifier], className: "NSMutableArray")),
      ])
  }

  private mutating func functionsOperand() -> PropertyListValue {
    object(
      "NSConstantValueExpression", ExpressionType.constant,
      [("NSConstantValueClassName", builder.string(ModelDecoder.functionsClass))])
  }

  private mutating func object(
    _ className: String, _ type: Int64, _ fields: Fields
  ) -> PropertyListValue {
    builder.object(className, [("NSExpressionType", .integer(type))] + fields)
  }
}
