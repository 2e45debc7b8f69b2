# Makes in $ROOT what the documentation speaks of: the places and the files, in `home` those without a
# path. The programs that it calls and that are not here are in `bin`.
set -eu
cd "$ROOT"
mkdir -p home remote srv/trips backup usr/local/bin nas
echo '[nightly]' > credentials
cd home
coffer export -q Sample.sqlite Trips.coffer.tar.gz
rm -r Sample.sqlite .Sample_SUPPORT
for name in Trips Phone Mac; do coffer import -q Trips.coffer.tar.gz $name.sqlite; done
cp Trips.coffer.tar.gz Monday.coffer.tar.gz
cp Trips.coffer.tar.gz ../remote
coffer backup -q Trips.sqlite --vault Backups
sed 's,/srv/,$ROOT/srv/,; s,=/backup/,=$ROOT/backup/,' "$REPOSITORY/packaging/coffer-backup" \
  > ../usr/local/bin/coffer-backup
chmod +x ../usr/local/bin/coffer-backup
# On Tuesday there is one object less; on a bad day there are 100 bytes of nothing in the middle.
cp Trips.sqlite Later.sqlite
cp -R .Trips_SUPPORT .Later_SUPPORT
sqlite3 Later.sqlite 'DELETE FROM ZTAGENTITY WHERE Z_PK = (SELECT max(Z_PK) FROM ZTAGENTITY)'
coffer export -q Later.sqlite Tuesday.coffer.tar.gz
rm -r Later.sqlite .Later_SUPPORT
cp Trips.sqlite Broken.sqlite
cp -R .Trips_SUPPORT .Broken_SUPPORT
sqlite3 Broken.sqlite "INSERT INTO Z_4TAGS (Z_4TODOS, Z_9TAGS) VALUES (3, 999);
  UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'ItemEntity'"
cp Trips.coffer.tar.gz Damaged.coffer.tar.gz
dd if=/dev/zero of=Damaged.coffer.tar.gz bs=1 seek=9000 count=100 conv=notrunc 2> /dev/null

echo AGE-SECRET-KEY-1PC0N2UAN2Y5KGVPND30HD6M0NHWF2EMZJ9RY2S7CSRRL93MYEE0Q7NXZET > key.txt
echo 'correct horse battery staple' > passphrase.txt
chmod 600 key.txt passphrase.txt
recipient=age1teaumv5e573rykespqm053dglg7ns724kus43r5qsn3hpnqaxslqpezme7
coffer export -q Trips.sqlite Trips.coffer.tar.gz.age --encrypt-to "$recipient"

mkdir -p docs Fixtures Trips.xcdatamodeld "Trips.xcappdata/AppData/Library/Application Support" \
  "../container/Library/Application Support"
coffer model Trips.sqlite --format xcdatamodel -o Trips.xcdatamodel 2> /dev/null
mv Trips.xcdatamodel Trips.xcdatamodeld/
cp Trips.coffer.tar.gz Old.coffer.tar.gz
cp -R "$REPOSITORY/Fixtures/Stores" Fixtures
# A compiled model is the same keyed archive as the copy in a store, without the compression.
python3 - <<'END'
import os, plistlib, sqlite3, zlib
content = sqlite3.connect("Trips.sqlite").execute("SELECT Z_CONTENT FROM Z_MODELCACHE").fetchone()[0]
os.mkdir("Trips.momd")
for name in "Trips", "Trips 2", "Trips 4":
    with open(f"Trips.momd/{name}.mom", "wb") as file:
        file.write(zlib.decompress(content, -15))
with open("Trips.momd/VersionInfo.plist", "wb") as file:
    plistlib.dump({"NSManagedObjectModel_CurrentVersionName": "Trips 4"}, file)
END
# A backup of a device: each file has the digest of its domain and path for a name.
python3 - <<'END'
import hashlib, os, shutil, sqlite3
manifest = None
for name in "Trips.sqlite", "Trips.sqlite-wal":
    if not os.path.exists(name):
        continue
    number = hashlib.sha1(f"AppDomain-com.example.trips-Documents/{name}".encode()).hexdigest()
    os.makedirs(f"Backup/{number[:2]}", exist_ok=True)
    shutil.copy(name, f"Backup/{number[:2]}/{number}")
    if manifest is None:
        manifest = sqlite3.connect("Backup/Manifest.db")
        manifest.execute(
            "CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT,"
            " flags INTEGER, file BLOB)")
    manifest.execute(
        "INSERT INTO Files VALUES (?, 'AppDomain-com.example.trips', ?, 1, NULL)",
        (number, f"Documents/{name}"))
manifest.commit()
END
for place in Fixtures ../srv/trips "Trips.xcappdata/AppData/Library/Application Support" \
  "../container/Library/Application Support"; do
  coffer import -q Trips.coffer.tar.gz "$place/Trips.sqlite"
done

# Tables of someone else: people who name each other by their addresses.
mkdir Contacts
cat > Contacts/PersonEntity.csv <<'END'
name,email,birthday,friends
Ada,ada@example.org,1815-12-10,
Charles,charles@example.org,,ada@example.org
END
