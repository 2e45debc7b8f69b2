// The declarations that judge.m and name-choices.m use, so that a compiler without Apple's headers can check it.
// Written from the public documentation; nothing can be linked against it.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define nil ((id)0)
#define YES ((BOOL)1)
#define NO ((BOOL)0)
typedef signed char BOOL;
typedef long NSInteger;
typedef unsigned long NSUInteger;
typedef struct { unsigned long state; id __unsafe_unretained *itemsPtr; unsigned long *mutationsPtr; unsigned long extra[5]; } NSFastEnumerationState;

__attribute__((objc_root_class))
@interface NSObject
+ (instancetype)alloc;
+ (Class)class;
- (instancetype)init;
- (id)mutableCopy;
- (BOOL)isEqual:(id)other;
- (BOOL)isKindOfClass:(Class)type;
@property (readonly) id description;
- (id)valueForKey:(id)key;
- (void)setValue:(id)value forKey:(id)key;
@end
Class NSClassFromString(id name);

@interface NSString : NSObject
+ (instancetype)stringWithFormat:(NSString *)format, ... __attribute__((format(__NSString__, 1, 2)));
+ (instancetype)stringWithUTF8String:(const char *)text;
- (const char *)UTF8String __attribute__((objc_returns_inner_pointer));
- (BOOL)isEqualToString:(NSString *)other;
- (NSInteger)compare:(NSString *)other;
- (NSString *)stringByAppendingString:(NSString *)other;
- (NSString *)stringByAppendingPathComponent:(NSString *)name;
- (NSString *)stringByDeletingPathExtension;
- (NSString *)stringByReplacingOccurrencesOfString:(NSString *)text withString:(NSString *)other;
@end
@interface NSConstantString : NSString
@end
@interface NSNull : NSObject
+ (NSNull *)null;
@end
@interface NSError : NSObject
@end
@interface NSException : NSObject
@end
@interface NSURL : NSObject
+ (NSURL *)fileURLWithPath:(NSString *)path;
+ (NSURL *)URLWithString:(NSString *)text;
- (NSString *)absoluteString;
- (NSString *)lastPathComponent;
@end
@interface NSUUID : NSObject
+ (NSUUID *)UUID;
- (NSString *)UUIDString;
@end
@interface NSDate : NSObject
+ (NSDate *)date;
- (double)timeIntervalSinceReferenceDate;
@end
@interface NSNumber : NSObject
+ (NSNumber *)numberWithBool:(BOOL)value;
+ (NSNumber *)numberWithInt:(int)value;
+ (NSNumber *)numberWithDouble:(double)value;
+ (NSNumber *)numberWithUnsignedLongLong:(unsigned long long)value;
- (BOOL)boolValue;
- (double)doubleValue;
- (NSString *)stringValue;
@end
@interface NSDecimalNumber : NSNumber
+ (NSDecimalNumber *)one;
@end
@interface NSData : NSObject
+ (NSData *)dataWithBytes:(const void *)bytes length:(NSUInteger)length;
+ (NSData *)dataWithContentsOfURL:(NSURL *)url;
- (NSUInteger)length;
- (const void *)bytes __attribute__((objc_returns_inner_pointer));
- (BOOL)writeToFile:(NSString *)path atomically:(BOOL)isAtomic;
@end
@interface NSMutableData : NSData
+ (instancetype)data;
- (void)appendData:(NSData *)data;
- (void)appendBytes:(const void *)bytes length:(NSUInteger)length;
@end
@interface NSArray : NSObject
- (NSUInteger)count;
- (id)objectAtIndex:(NSUInteger)index;
- (BOOL)containsObject:(id)object;
- (NSArray *)sortedArrayUsingSelector:(SEL)selector;
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state objects:(id __unsafe_unretained[])buffer count:(NSUInteger)count;
@end
@interface NSMutableArray : NSArray
+ (instancetype)array;
- (void)addObject:(id)object;
- (void)removeObject:(id)object;
@end
@interface NSDictionary : NSObject
+ (instancetype)dictionaryWithObjects:(const id[])objects forKeys:(const id[])keys count:(NSUInteger)count;
- (id)objectForKey:(id)key;
- (NSArray *)allKeys;
- (NSArray *)allValues;
@end
@interface NSMutableDictionary : NSDictionary
+ (instancetype)dictionary;
- (void)setObject:(id)object forKey:(id)key;
- (void)removeObjectForKey:(id)key;
@end
@interface NSFileManager : NSObject
+ (NSFileManager *)defaultManager;
- (BOOL)createDirectoryAtPath:(NSString *)path withIntermediateDirectories:(BOOL)all attributes:(NSDictionary *)attributes error:(NSError **)error;
@end
@interface NSJSONSerialization : NSObject
+ (NSData *)dataWithJSONObject:(id)object options:(NSUInteger)options error:(NSError **)error;
@end
@interface NSKeyedUnarchiver : NSObject
+ (id)unarchivedObjectOfClass:(Class)type fromData:(NSData *)data error:(NSError **)error;
@end
@interface NSValueTransformer : NSObject
+ (void)setValueTransformer:(NSValueTransformer *)transformer forName:(NSString *)name;
@end

typedef enum : NSUInteger {
  NSInteger16AttributeType = 100, NSInteger32AttributeType = 200, NSInteger64AttributeType = 300,
  NSDecimalAttributeType = 400, NSDoubleAttributeType = 500, NSFloatAttributeType = 600,
  NSStringAttributeType = 700, NSBooleanAttributeType = 800, NSDateAttributeType = 900,
  NSBinaryDataAttributeType = 1000, NSUUIDAttributeType = 1100, NSURIAttributeType = 1200,
  NSTransformableAttributeType = 1800,
} NSAttributeType;
typedef enum : NSUInteger { NSMainQueueConcurrencyType = 2 } NSManagedObjectContextConcurrencyType;
extern NSString *const NSSQLiteStoreType, *const NSStoreModelVersionHashesKey, *const NSPersistentHistoryTrackingKey;
extern NSString *const NSMigratePersistentStoresAutomaticallyOption, *const NSInferMappingModelAutomaticallyOption;

@class NSEntityDescription, NSManagedObjectContext;
@interface NSManagedObjectModel : NSObject
- (instancetype)initWithContentsOfURL:(NSURL *)url;
- (NSArray *)entities;
- (void)setEntities:(NSArray *)entities;
- (NSDictionary *)entitiesByName;
- (NSDictionary *)entityVersionHashesByName;
@end
@interface NSPropertyDescription : NSObject
- (NSString *)name;
- (NSEntityDescription *)entity;
- (BOOL)isOptional;
- (BOOL)isTransient;
- (void)setName:(NSString *)name;
- (void)setOptional:(BOOL)value;
@end
@interface NSAttributeDescription : NSPropertyDescription
- (NSAttributeType)attributeType;
- (void)setValueTransformerName:(NSString *)name;
- (void)setAttributeType:(NSAttributeType)type;
@end
@interface NSRelationshipDescription : NSPropertyDescription
- (BOOL)isToMany;
- (BOOL)isOrdered;
- (void)setOrdered:(BOOL)value;
- (NSEntityDescription *)destinationEntity;
- (void)setDestinationEntity:(NSEntityDescription *)entity;
- (NSRelationshipDescription *)inverseRelationship;
- (void)setInverseRelationship:(NSRelationshipDescription *)relationship;
- (void)setMinCount:(NSUInteger)count;
- (void)setMaxCount:(NSUInteger)count;
@end
@interface NSManagedObjectID : NSObject
- (NSURL *)URIRepresentation;
@end
@interface NSManagedObject : NSObject
- (NSEntityDescription *)entity;
- (NSManagedObjectID *)objectID;
- (NSManagedObjectContext *)managedObjectContext;
- (BOOL)validateForInsert:(NSError **)error;
- (BOOL)validateForUpdate:(NSError **)error;
@end
@interface NSEntityDescription : NSObject
+ (NSManagedObject *)insertNewObjectForEntityForName:(NSString *)name inManagedObjectContext:(NSManagedObjectContext *)context;
- (NSString *)name;
- (BOOL)isAbstract;
- (NSEntityDescription *)superentity;
- (void)setName:(NSString *)name;
- (NSArray *)properties;
- (void)setProperties:(NSArray *)properties;
- (NSDictionary *)attributesByName;
- (NSDictionary *)relationshipsByName;
- (NSArray *)uniquenessConstraints;
- (void)setManagedObjectClassName:(NSString *)name;
@end
@interface NSFetchRequest : NSObject
+ (instancetype)fetchRequestWithEntityName:(NSString *)name;
- (void)setIncludesSubentities:(BOOL)value;
- (void)setReturnsObjectsAsFaults:(BOOL)value;
@end
@interface NSPersistentStore : NSObject
- (BOOL)isReadOnly;
@end
@interface NSPersistentStoreCoordinator : NSObject
+ (NSDictionary *)metadataForPersistentStoreOfType:(NSString *)type URL:(NSURL *)url options:(NSDictionary *)options error:(NSError **)error;
+ (BOOL)setMetadata:(NSDictionary *)metadata forPersistentStoreOfType:(NSString *)type URL:(NSURL *)url options:(NSDictionary *)options error:(NSError **)error;
- (instancetype)initWithManagedObjectModel:(NSManagedObjectModel *)model;
- (BOOL)removePersistentStore:(NSPersistentStore *)store error:(NSError **)error;
- (NSPersistentStore *)addPersistentStoreWithType:(NSString *)type configuration:(NSString *)name URL:(NSURL *)url options:(NSDictionary *)options error:(NSError **)error;
@end
@interface NSManagedObjectContext : NSObject
- (instancetype)initWithConcurrencyType:(NSManagedObjectContextConcurrencyType)type;
- (void)setPersistentStoreCoordinator:(NSPersistentStoreCoordinator *)coordinator;
- (NSArray *)executeFetchRequest:(NSFetchRequest *)request error:(NSError **)error;
- (NSManagedObject *)existingObjectWithID:(NSManagedObjectID *)identifier error:(NSError **)error;
- (void)deleteObject:(NSManagedObject *)object;
- (BOOL)save:(NSError **)error;
@end
