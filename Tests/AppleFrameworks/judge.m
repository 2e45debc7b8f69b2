// Opens Core Data stores with the framework itself, to judge those that coffer wrote.
//
//   judge adopt STORE MODEL                    give the store the version hashes of the model
//   judge dump STORE MODEL FOLDER [--history]  read every object and relationship into FOLDER
//   judge save STORE MODEL [--history]         change one object and insert another
//
// MODEL is a .mom or .momd. Stores with persistent history need --history: without it, Core Data opens them
// read-only. FOLDER gets `objects.jsonl`, in the form of `coffer show --json`, and the bytes of binary data in
// `data/ENTITY-pKEY.ATTRIBUTE.bin`. Dates are numbers of seconds since 2001, and decimals are strings.
//
// Uses only public API, and compiles with and without ARC.
#import <CoreData/CoreData.h>

/// Hands over the stored bytes of a transformable attribute, so that nothing depends on the app's classes.
@interface JudgeBytes : NSValueTransformer
@end

@implementation JudgeBytes
+ (BOOL)allowsReverseTransformation { return YES; }
+ (Class)transformedValueClass { return [NSData class]; }
- (id)transformedValue:(id)value { return value; }
- (id)reverseTransformedValue:(id)value { return value; }
@end

static void fail(NSString *what, NSError *error) {
  fprintf(stderr, "judge: %s: %s\n", [what UTF8String], [[error description] UTF8String]);
  exit(1);
}

/// The model of a file, without the app's classes and value transformers: neither is part of a version hash.
static NSManagedObjectModel *readModel(NSString *path) {
  NSURL *url = [NSURL fileURLWithPath:path];
  NSError *error = nil;
  NSManagedObjectModel *model = [[NSManagedObjectModel alloc] initWithContentsOfURL:url];
  if (model == nil) {
    NSData *data = [NSData dataWithContentsOfURL:url];
    model = [NSKeyedUnarchiver unarchivedObjectOfClass:[NSManagedObjectModel class] fromData:data error:&error];
  }
  if (model == nil) { fail([path stringByAppendingString:@": cannot read the model"], error); }
  [NSValueTransformer setValueTransformer:[[JudgeBytes alloc] init] forName:@"JudgeBytes"];
  for (NSEntityDescription *entity in [model entities]) {
    [entity setManagedObjectClassName:@"NSManagedObject"];
    for (NSAttributeDescription *attribute in [[entity attributesByName] allValues]) {
      if ([attribute entity] == entity && [attribute attributeType] == NSTransformableAttributeType) {
        [attribute setValueTransformerName:@"JudgeBytes"];
      }
    }
  }
  return model;
}

/// A context on the store, opened for writing as an app does, but never migrated.
static NSManagedObjectContext *openStore(NSString *path, NSManagedObjectModel *model, BOOL hasHistory) {
  NSPersistentStoreCoordinator *coordinator =
      [[NSPersistentStoreCoordinator alloc] initWithManagedObjectModel:model];
  NSMutableDictionary *options = [NSMutableDictionary dictionary];
  [options setObject:@NO forKey:NSMigratePersistentStoresAutomaticallyOption];
  [options setObject:@NO forKey:NSInferMappingModelAutomaticallyOption];
  if (hasHistory) { [options setObject:@YES forKey:NSPersistentHistoryTrackingKey]; }
  NSError *error = nil;
  NSPersistentStore *store = [coordinator addPersistentStoreWithType:NSSQLiteStoreType
                                                       configuration:nil
                                                                 URL:[NSURL fileURLWithPath:path]
                                                             options:options
                                                               error:&error];
  if (store == nil) { fail(@"cannot open the store", error); }
  if ([store isReadOnly]) { fail(@"the store was opened read-only", nil); }
  NSManagedObjectContext *context =
      [[NSManagedObjectContext alloc] initWithConcurrencyType:NSMainQueueConcurrencyType];
  [context setPersistentStoreCoordinator:coordinator];
  return context;
}

/// The objects of an entity alone, not of its subentities, by key.
static NSArray *fetchObjects(NSEntityDescription *entity, NSManagedObjectContext *context) {
  NSFetchRequest *request = [NSFetchRequest fetchRequestWithEntityName:[entity name]];
  [request setIncludesSubentities:NO];
  [request setReturnsObjectsAsFaults:NO];
  NSError *error = nil;
  NSArray *objects = [context executeFetchRequest:request error:&error];
  if (objects == nil) { fail([entity name], error); }
  return objects;
}

static NSArray *sortedEntities(NSManagedObjectModel *model) {
  NSMutableArray *entities = [NSMutableArray array];
  for (NSString *name in [[[model entitiesByName] allKeys] sortedArrayUsingSelector:@selector(compare:)]) {
    NSEntityDescription *entity = [[model entitiesByName] objectForKey:name];
    if (![entity isAbstract]) { [entities addObject:entity]; }
  }
  return entities;
}

static NSString *nameOf(NSManagedObject *object) {
  NSString *key = [[[object objectID] URIRepresentation] lastPathComponent];
  return [NSString stringWithFormat:@"%@/%@", [[object entity] name], key];
}

static id numberOrName(double value) {
  if (isnan(value)) { return @{@"$real" : @"NaN"}; }
  if (isinf(value)) { return @{@"$real" : value < 0 ? @"-Infinity" : @"Infinity"}; }
  return [NSNumber numberWithDouble:value];
}

/// A value as JSON has it. The bytes of binary data go to the file at `path`.
static id valueAsJSON(NSAttributeDescription *attribute, id value, NSString *path) {
  if (value == nil || value == [NSNull null]) { return [NSNull null]; }
  if ([value isKindOfClass:[NSData class]]) {
    if (![value writeToFile:path atomically:NO]) { fail(path, nil); }
    return @{@"bytes" : [NSNumber numberWithUnsignedLongLong:[value length]]};
  }
  if ([value isKindOfClass:[NSDictionary class]]) {  // A composite attribute: not in every version of the API.
    NSMutableDictionary *elements = [NSMutableDictionary dictionary];
    for (NSAttributeDescription *element in [attribute valueForKey:@"elements"]) {
      NSString *name = [element name];
      NSString *place = [NSString stringWithFormat:@"%@.%@.bin", [path stringByDeletingPathExtension], name];
      [elements setObject:valueAsJSON(element, [value objectForKey:name], place) forKey:name];
    }
    return elements;
  }
  if ([value isKindOfClass:[NSDate class]]) { return numberOrName([value timeIntervalSinceReferenceDate]); }
  if ([value isKindOfClass:[NSUUID class]]) { return [value UUIDString]; }
  if ([value isKindOfClass:[NSURL class]]) { return [value absoluteString]; }
  switch ([attribute attributeType]) {
    case NSBooleanAttributeType: return [value boolValue] ? @YES : @NO;
    case NSDecimalAttributeType: return [value stringValue];
    case NSDoubleAttributeType:
    case NSFloatAttributeType: return numberOrName([value doubleValue]);
    default: return value;
  }
}

/// The name of a destination; where its row is missing, a name that no dump of coffer has.
static NSString *destinationName(NSManagedObject *object) {
  NSError *error = nil;
  BOOL isThere = [[object managedObjectContext] existingObjectWithID:[object objectID] error:&error] != nil;
  return isThere ? nameOf(object) : [nameOf(object) stringByAppendingString:@" (missing)"];
}

static NSDictionary *describe(NSManagedObject *object, NSString *folder) {
  NSString *name = nameOf(object);
  NSString *prefix = [folder stringByAppendingPathComponent:[name stringByReplacingOccurrencesOfString:@"/"
                                                                                           withString:@"-"]];
  NSMutableDictionary *attributes = [NSMutableDictionary dictionary];
  for (NSAttributeDescription *attribute in [[[object entity] attributesByName] allValues]) {
    if ([attribute isTransient]) { continue; }
    NSString *path = [NSString stringWithFormat:@"%@.%@.bin", prefix, [attribute name]];
    [attributes setObject:valueAsJSON(attribute, [object valueForKey:[attribute name]], path)
                   forKey:[attribute name]];
  }
  NSMutableDictionary *relationships = [NSMutableDictionary dictionary];
  for (NSRelationshipDescription *relationship in [[[object entity] relationshipsByName] allValues]) {
    if ([relationship isTransient]) { continue; }
    id value = [object valueForKey:[relationship name]];
    id described = [NSNull null];
    if ([relationship isToMany]) {
      described = [NSMutableArray array];  // NSSet or NSOrderedSet, which is in order.
      for (NSManagedObject *destination in value) { [described addObject:destinationName(destination)]; }
    } else if (value != nil) {
      described = destinationName(value);
    }
    [relationships setObject:described forKey:[relationship name]];
  }
  return @{
    @"type" : @"object", @"entity" : [[object entity] name], @"object" : name, @"attributes" : attributes,
    @"relationships" : relationships
  };
}

static void dump(NSManagedObjectModel *model, NSManagedObjectContext *context, NSString *folder) {
  NSError *error = nil;
  NSString *data = [folder stringByAppendingPathComponent:@"data"];
  if (![[NSFileManager defaultManager] createDirectoryAtPath:data
                                 withIntermediateDirectories:YES
                                                  attributes:nil
                                                       error:&error]) {
    fail(data, error);
  }
  NSMutableData *lines = [NSMutableData data];
  for (NSEntityDescription *entity in sortedEntities(model)) {
    for (NSManagedObject *object in fetchObjects(entity, context)) {
      NSData *line = [NSJSONSerialization dataWithJSONObject:describe(object, data) options:0 error:&error];
      if (line == nil) { fail(nameOf(object), error); }
      [lines appendData:line];
      [lines appendBytes:"\n" length:1];
    }
  }
  NSString *path = [folder stringByAppendingPathComponent:@"objects.jsonl"];
  if (![lines writeToFile:path atomically:NO]) { fail(path, nil); }
}

/// A valid value of an attribute's type that no other object has, as far as the type allows; nil for composite
/// and transformable attributes, whose values are the app's.
static id sampleValue(NSAttributeDescription *attribute) {
  switch ([attribute attributeType]) {
    case NSInteger16AttributeType:
    case NSInteger32AttributeType:
    case NSInteger64AttributeType:
    case NSBooleanAttributeType:
    case NSFloatAttributeType:
    case NSDoubleAttributeType: return @1;
    case NSDecimalAttributeType: return [NSDecimalNumber one];
    case NSStringAttributeType: return [[NSUUID UUID] UUIDString];
    case NSDateAttributeType: return [NSDate date];
    case NSUUIDAttributeType: return [NSUUID UUID];
    case NSURIAttributeType: return [NSURL URLWithString:@"https://example.org/judge"];
    case NSBinaryDataAttributeType: return [NSData dataWithBytes:"judge" length:5];
    default: return nil;
  }
}

/// Whether an app may set the attribute: not if it is transient or derived.
static BOOL isStored(NSAttributeDescription *attribute) {
  Class derived = NSClassFromString(@"NSDerivedAttributeDescription");
  return ![attribute isTransient] && !(derived != nil && [attribute isKindOfClass:derived]);
}

static BOOL isUnique(NSAttributeDescription *attribute, NSEntityDescription *entity) {
  for (; entity != nil; entity = [entity superentity]) {
    for (NSArray *constraint in [entity uniquenessConstraints]) {
      for (id member in constraint) {
        NSString *name = [member isKindOfClass:[NSString class]] ? member : [member name];
        if ([name isEqualToString:[attribute name]]) { return YES; }
      }
    }
  }
  return NO;
}

/// Changes one attribute of one object, the first change that the model finds valid; nil if there is none.
static NSString *changeOne(NSManagedObjectModel *model, NSManagedObjectContext *context) {
  for (NSEntityDescription *entity in sortedEntities(model)) {
    for (NSManagedObject *object in fetchObjects(entity, context)) {
      for (NSAttributeDescription *attribute in [[entity attributesByName] allValues]) {
        if (!isStored(attribute) || isUnique(attribute, entity)) { continue; }
        id old = [object valueForKey:[attribute name]];
        id new = sampleValue(attribute);
        if (new == nil || [new isEqual:old]) { continue; }
        [object setValue:new forKey:[attribute name]];
        NSError *error = nil;
        if ([object validateForUpdate:&error]) {
          return [NSString stringWithFormat:@"%@ %@", nameOf(object), [attribute name]];
        }
        [object setValue:old forKey:[attribute name]];
      }
    }
  }
  return nil;
}

/// Inserts an object of the first entity for which one without relationships is valid; nil if there is none.
static NSManagedObject *insertOne(NSManagedObjectModel *model, NSManagedObjectContext *context) {
  for (NSEntityDescription *entity in sortedEntities(model)) {
    NSManagedObject *object = [NSEntityDescription insertNewObjectForEntityForName:[entity name]
                                                            inManagedObjectContext:context];
    for (NSAttributeDescription *attribute in [[entity attributesByName] allValues]) {
      BOOL isNeeded = ![attribute isOptional] && [object valueForKey:[attribute name]] == nil;
      id value = sampleValue(attribute);
      if (isStored(attribute) && value != nil && (isNeeded || isUnique(attribute, entity))) {
        [object setValue:value forKey:[attribute name]];
      }
    }
    NSError *error = nil;
    if ([object validateForInsert:&error]) { return object; }
    [context deleteObject:object];
  }
  return nil;
}

/// Prints the names of the inserted object and of the changed one with its attribute, `-` for none.
static void save(NSManagedObjectModel *model, NSManagedObjectContext *context) {
  NSString *changed = changeOne(model, context);
  NSManagedObject *inserted = insertOne(model, context);
  NSError *error = nil;
  if (![context save:&error]) { fail(@"cannot save", error); }
  printf("inserted %s\n", inserted != nil ? [nameOf(inserted) UTF8String] : "-");
  printf("changed %s\n", changed != nil ? [changed UTF8String] : "-");
}

static void adopt(NSString *path, NSManagedObjectModel *model) {
  NSURL *url = [NSURL fileURLWithPath:path];
  NSError *error = nil;
  NSMutableDictionary *metadata = [[NSPersistentStoreCoordinator metadataForPersistentStoreOfType:NSSQLiteStoreType
                                                                                              URL:url
                                                                                          options:nil
                                                                                            error:&error]
      mutableCopy];
  if (metadata == nil) { fail(@"cannot read the metadata", error); }
  [metadata setObject:[model entityVersionHashesByName] forKey:NSStoreModelVersionHashesKey];
  [metadata removeObjectForKey:@"NSStoreModelVersionHashesDigest"];
  if (![NSPersistentStoreCoordinator setMetadata:metadata
                        forPersistentStoreOfType:NSSQLiteStoreType
                                             URL:url
                                         options:nil
                                           error:&error]) {
    fail(@"cannot write the metadata", error);
  }
}

int main(int count, const char *texts[]) {
  @autoreleasepool {
    NSMutableArray *arguments = [NSMutableArray array];
    for (int i = 1; i < count; i++) { [arguments addObject:[NSString stringWithUTF8String:texts[i]]]; }
    BOOL hasHistory = [arguments containsObject:@"--history"];
    [arguments removeObject:@"--history"];
    NSString *task = [arguments count] > 0 ? [arguments objectAtIndex:0] : @"";
    BOOL isDump = [task isEqualToString:@"dump"];
    BOOL isSave = [task isEqualToString:@"save"];
    if ([arguments count] != (isDump ? 4 : 3) || !(isDump || isSave || [task isEqualToString:@"adopt"])) {
      fprintf(stderr, "usage: judge adopt|dump|save STORE MODEL [FOLDER] [--history]\n");
      return 64;
    }
    @try {
      NSString *store = [arguments objectAtIndex:1];
      NSManagedObjectModel *model = readModel([arguments objectAtIndex:2]);
      if (isDump) {
        dump(model, openStore(store, model, hasHistory), [arguments objectAtIndex:3]);
      } else if (isSave) {
        save(model, openStore(store, model, hasHistory));
      } else {
        adopt(store, model);
      }
    } @catch (NSException *exception) {
      fprintf(stderr, "judge: %s\n", [[exception description] UTF8String]);
      return 1;
    }
  }
  return 0;
}
