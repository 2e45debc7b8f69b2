// Has Core Data create stores of synthetic models, and writes the names that it chooses for tables and columns.
//
//   name-choices FOLDER [COUNT]    write COUNT stores (2,000 by default) to FOLDER, and a line of JSON for each
//                                  to standard output
//
// A model alone does not say which of two relationships of one entity names their table, nor which of equal
// column names gets a number. A line has the number of the model, its entities with their properties in the
// order in which they were given, and the statements of all tables that begin with `Z_` and a digit. Ten models in a
// row differ in the number of their attributes only. The models are the same in every run.
//
// Uses only public API, and compiles with and without ARC:
//   clang -fobjc-arc -framework Foundation -framework CoreData -lsqlite3 name-choices.m -o name-choices
#import <CoreData/CoreData.h>
#include <sqlite3.h>

static const int attributesPerSeries = 10;
static unsigned long long state;

static void fail(NSString *what, NSError *error) {
  fprintf(stderr, "name-choices: %s: %s\n", [what UTF8String], [[error description] UTF8String]);
  exit(1);
}

/// A pseudorandom number below a limit.
static int randomBelow(int limit) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (int)((state >> 33) % (unsigned long long)limit);
}

/// A pseudorandom name, which the number makes unique.
static NSString *randomName(int number) {
  const char *syllables[] = {"ba", "ce", "di", "fo", "gu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu"};
  NSString *name = @"";
  int count = 1 + randomBelow(4);
  for (int i = 0; i < count; i++) { name = [NSString stringWithFormat:@"%@%s", name, syllables[randomBelow(15)]]; }
  return [NSString stringWithFormat:@"%@%c", name, 'a' + number];
}

static NSRelationshipDescription *toMany(NSString *name, NSEntityDescription *destination) {
  NSRelationshipDescription *relationship = [[NSRelationshipDescription alloc] init];
  [relationship setName:name];
  [relationship setDestinationEntity:destination];
  [relationship setOptional:YES];
  [relationship setMinCount:0];
  [relationship setMaxCount:0];
  [relationship setOrdered:randomBelow(4) == 0];
  return relationship;
}

static void join(NSRelationshipDescription *one, NSMutableArray *ones, NSRelationshipDescription *other,
                 NSMutableArray *others) {
  [one setInverseRelationship:other];
  [other setInverseRelationship:one];
  [ones addObject:one];
  [others addObject:other];
}

static NSEntityDescription *entityNamed(NSString *name) {
  NSEntityDescription *entity = [[NSEntityDescription alloc] init];
  [entity setName:name];
  [entity setManagedObjectClassName:@"NSManagedObject"];
  return entity;
}

/// The entities of a model: one with pairs of relationships to itself, and in every third series two others
/// with relationships of equal names to it.
static NSArray *makeEntities(int number) {
  int series = number / attributesPerSeries;
  state = (unsigned long long)series + 1;
  NSMutableArray *entities = [NSMutableArray array];
  NSEntityDescription *entity = entityNamed(@"Item");
  [entities addObject:entity];
  NSMutableArray *properties = [NSMutableArray array];
  int pairs = 1 + randomBelow(4);
  for (int pair = 0; pair < pairs; pair++) {
    NSRelationshipDescription *one = toMany(randomName(2 * pair), entity);
    join(one, properties, toMany(randomName(2 * pair + 1), entity), properties);
  }
  if (series % 3 == 0) {
    for (int side = 0; side < 2; side++) {
      NSEntityDescription *other = entityNamed(side == 0 ? @"Left" : @"Right");
      NSMutableArray *others = [NSMutableArray array];
      join(toMany(side == 0 ? @"lefts" : @"rights", other), properties, toMany(@"items", entity), others);
      [other setProperties:others];
      [entities addObject:other];
    }
  }
  for (int i = 0; i < number % attributesPerSeries; i++) {
    NSAttributeDescription *attribute = [[NSAttributeDescription alloc] init];
    [attribute setName:randomName(i)];
    [attribute setAttributeType:NSStringAttributeType];
    [attribute setOptional:YES];
    NSString *name = [attribute name];
    BOOL isTaken = NO;
    for (NSPropertyDescription *property in properties) { isTaken = isTaken || [[property name] isEqualToString:name]; }
    if (!isTaken) { [properties addObject:attribute]; }
  }
  [entity setProperties:properties];
  return entities;
}

static NSArray *describe(NSArray *entities) {
  NSMutableArray *list = [NSMutableArray array];
  for (NSEntityDescription *entity in entities) {
    NSMutableArray *attributes = [NSMutableArray array];
    NSMutableArray *relationships = [NSMutableArray array];
    for (NSPropertyDescription *property in [entity properties]) {
      if (![property isKindOfClass:[NSRelationshipDescription class]]) {
        [attributes addObject:[property name]];
        continue;
      }
      NSRelationshipDescription *relationship = (NSRelationshipDescription *)property;
      [relationships addObject:@{
        @"name" : [relationship name], @"destination" : [[relationship destinationEntity] name],
        @"inverse" : [[relationship inverseRelationship] name],
        @"isOrdered" : [relationship isOrdered] ? @YES : @NO
      }];
    }
    [list addObject:@{@"name" : [entity name], @"attributes" : attributes, @"relationships" : relationships}];
  }
  return list;
}

static void createStore(NSString *path, NSArray *entities) {
  NSManagedObjectModel *model = [[NSManagedObjectModel alloc] init];
  [model setEntities:entities];
  NSPersistentStoreCoordinator *coordinator =
      [[NSPersistentStoreCoordinator alloc] initWithManagedObjectModel:model];
  NSError *error = nil;
  NSPersistentStore *store = [coordinator addPersistentStoreWithType:NSSQLiteStoreType
                                                       configuration:nil
                                                                 URL:[NSURL fileURLWithPath:path]
                                                             options:nil
                                                               error:&error];
  if (store == nil) { fail(path, error); }
  if (![coordinator removePersistentStore:store error:&error]) { fail(path, error); }
}

/// The statements of the tables of pairs.
static NSArray *joinTables(NSString *path) {
  NSMutableArray *statements = [NSMutableArray array];
  sqlite3 *database = NULL;
  sqlite3_stmt *rows = NULL;
  const char *query = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name GLOB 'Z_[0-9]*' ORDER BY name";
  if (sqlite3_open_v2([path UTF8String], &database, SQLITE_OPEN_READONLY, NULL) != SQLITE_OK ||
      sqlite3_prepare_v2(database, query, -1, &rows, NULL) != SQLITE_OK) {
    fail(path, nil);
  }
  while (sqlite3_step(rows) == SQLITE_ROW) {
    [statements addObject:[NSString stringWithUTF8String:(const char *)sqlite3_column_text(rows, 0)]];
  }
  sqlite3_finalize(rows);
  sqlite3_close(database);
  return statements;
}

int main(int count, const char *texts[]) {
  int total = count > 2 ? atoi(texts[2]) : 2000;
  if (count < 2 || count > 3 || total < 1) {
    fprintf(stderr, "usage: name-choices FOLDER [COUNT]\n");
    return 64;
  }
  for (int number = 0; number < total; number++) {
    @autoreleasepool {
      NSString *name = [NSString stringWithFormat:@"%05d.sqlite", number];
      NSString *path = [[NSString stringWithUTF8String:texts[1]] stringByAppendingPathComponent:name];
      NSArray *entities = makeEntities(number);
      NSArray *described = describe(entities);
      createStore(path, entities);
      NSError *error = nil;
      NSDictionary *line = @{
        @"model" : [NSNumber numberWithInt:number], @"entities" : described, @"tables" : joinTables(path)
      };
      NSData *data = [NSJSONSerialization dataWithJSONObject:line options:0 error:&error];
      if (data == nil) { fail(path, error); }
      fwrite([data bytes], 1, [data length], stdout);
      putchar('\n');
    }
  }
  return 0;
}
