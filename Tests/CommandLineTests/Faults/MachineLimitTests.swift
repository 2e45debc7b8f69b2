#if os(Linux)
  internal import Foundation
  internal import POSIX
  internal import TestSupport
  internal import Testing

  /// Real limits of the machine instead of made-up failures.
  @Suite struct MachineLimitTests {
    /// The sandbox with a store, an archive, a folder for targets and one for temporary files.
    private func makeSandbox() throws -> Sandbox {
      let sandbox = try Sandbox()
      for name in ["out", "tmp"] {
        try FileManager.default.createDirectory(
          atPath: sandbox.file(name), withIntermediateDirectories: false)
      }
      #expect(try sandbox.coffer("export", "Todo.sqlite", "archive").status == 0)
      // A log without its index: such a store is read from a private copy.
      try SampleStore.write(to: sandbox.file("Changed.sqlite"))
      try OpenStores.copyWithLog(
        of: sandbox.file("Changed.sqlite"), to: sandbox.file("Logged.sqlite"),
        changedBy: "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1")
      return sandbox
    }

    private func names(_ folder: String, in sandbox: Sandbox) throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: sandbox.file(folder)).sorted()
    }

    /// Whether a separate file system can be mounted, invisible to other processes.
    private static let canMount: Bool = {
      guard geteuid() == 0, let unshare = ProcessRunner.find("unshare") else { return false }
      let script = "mount -t tmpfs -o size=64k tmpfs /mnt"
      let result = try? ProcessRunner(unshare).run(["-m", "/bin/sh", "-c", script])
      return result?.status == 0
    }()

    @Test(
      .enabled(if: canMount, "needs root and the right to mount"),
      arguments: [
        "export Todo.sqlite out/a --level 0", "import archive out/R.sqlite",
        "migrate Todo.sqlite out/M.sqlite --model Todo.sqlite",
        "compact Todo.sqlite -o out/C.sqlite",
        "dedupe Todo.sqlite --match TagEntity=color -o out/D.sqlite",
      ])
    func aFullDiskIsAnErrorAndLeavesNothing(_ command: String) throws {
      let sandbox = try makeSandbox()
      // Of many sizes, so that the disk is full in many places.
      let result = try sandbox.shell(
        """
        unshare -m /bin/sh <<'END'
        for size in 8 16 24 32 48 64 96 128 192; do
          mount -t tmpfs -o size=${size}k tmpfs out || exit 99
          "$COFFER_UNDER_TEST" \(command) > said 2> error
          echo "$? $(grep -c 'Error: out/[^:]*: .*: ' error) $(grep -c '^Hint: ' error) $(ls -A out | wc -l)"
          umount out
        done
        END
        """)
      let lines = result.output.split(separator: "\n")
      #expect(lines.count == 9, "\(result.errorOutput)")
      for line in lines {
        #expect(line == "1 1 1 0" || line.hasPrefix("0 0 0 "), "\(result.output)")
      }
      #expect(lines.first == "1 1 1 0")
    }

    /// Of many sizes, so that the disk is full in many places, of the repair and of what takes it back.
    @Test(.enabled(if: canMount, "needs root and the right to mount"))
    func aRepairOnAFullDiskLeavesTheStoreAsItWas() throws {
      let sandbox = try makeSandbox()
      for damage in [Damage.danglingPair, .staleMaximum] {
        try damage.apply(to: sandbox.file("Todo.sqlite"))
      }
      let result = try sandbox.shell(
        """
        sqlite3 Todo.sqlite "PRAGMA wal_checkpoint(TRUNCATE)" > log; rm -f Todo.sqlite-*
        unshare -m /bin/sh <<'END'
        state() { (cd out; find . -type f -exec cksum {} +; find . -type d) | sort | cksum; }
        run() {
          before=$(state)
          "$COFFER_UNDER_TEST" "$@" > said 2> error
          status=$?
          [ "$before" = "$(state)" ] && now=same || now=changed
          echo "$status $now $(grep -c '^Hint: ' error) $(ls -A out | grep -c coffer-)"
        }
        used=$(du -sk Todo.sqlite .Todo_SUPPORT | awk '{ k += $1 } END { print k }')
        for more in 16 64 128 192 256 320 384 448 512 640 1024 4096; do
          mount -t tmpfs -o size=$((used + more))k tmpfs out || exit 99
          cp -R Todo.sqlite .Todo_SUPPORT out/
          run repair out/Todo.sqlite --fix dangling-pair --apply --undo out/undo
          if [ -e out/undo ]; then cp out/undo . && rm out/undo && run apply out/Todo.sqlite undo; fi
          umount out
        done
        END
        """)
      let lines = result.output.split(separator: "\n")
      #expect(lines.count > 12, "\(result.errorOutput)")
      for line in lines {
        // What takes the repair back brings the errors back.
        #expect(
          line == "1 same 1 0" || ["0 changed 0 0", "3 changed 0 0"].contains(line),
          "\(result.output)")
      }
      #expect(lines.first == "1 same 1 0" && lines.last == "3 changed 0 0", "\(result.output)")
    }

    /// In addition to the store, only the live data and a tenth of it fit.
    @Test(
      .enabled(if: canMount, "needs root and the right to mount"),
      arguments: ["", "--history-before 2030-01-01"])
    func aGrownStoreIsCompactedWhereOnlyItsContentFits(_ option: String) throws {
      let sandbox = try makeSandbox()
      let result = try sandbox.shell(
        """
        sqlite3 Todo.sqlite "CREATE TABLE bloat (a);
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
            INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
            SELECT i + 100, 16001, 1, 1, 1, 5, randomblob(300) FROM n;
          INSERT INTO bloat SELECT randomblob(1000) FROM ACHANGE; DROP TABLE bloat;
          PRAGMA wal_checkpoint(TRUNCATE)" > log
        coffer compact Todo.sqlite -o Small.sqlite \(option) > log || exit 1
        room=$(( $(stat -c %s Todo.sqlite) + $(stat -c %s Small.sqlite) * 11 / 10 ))
        room=$(( room + $(du -sb .Todo_SUPPORT | cut -f1) ))
        export room
        unshare -m /bin/sh <<'END'
        mount -t tmpfs -o size=$room tmpfs out || exit 99
        cp -R Todo.sqlite .Todo_SUPPORT out/
        "$COFFER_UNDER_TEST" compact out/Todo.sqlite \(option) > said 2> error
        echo "$? $(stat -c %s out/Todo.sqlite)"
        END
        stat -c %s Small.sqlite
        """)
      let lines = result.output.split(separator: "\n")
      #expect(lines.count == 2, "\(result.errorOutput)")
      #expect(lines.first == "0 \(lines.last ?? "")", "\(result.output) \(result.errorOutput)")
    }

    @Test(
      .enabled(if: canMount, "needs root and the right to mount"),
      arguments: [
        "export Logged.sqlite out/a", "verify Logged.sqlite", "inspect Logged.sqlite",
        "diff Logged.sqlite archive", "verify repacked", "import repacked out/R.sqlite",
      ])
    func aFullFolderForTemporaryFilesIsAnError(_ command: String) throws {
      let sandbox = try makeSandbox()
      let result = try sandbox.shell(
        """
        mkdir u && tar xzf archive -C u && tar czf repacked -C u . && rm -r u
        unshare -m /bin/sh <<'END'
        for size in 4 16; do
          mount -t tmpfs -o size=${size}k tmpfs tmp || exit 99
          TMPDIR=$PWD/tmp "$COFFER_UNDER_TEST" \(command) > said 2> error
          echo "$? $(grep -c 'Error: .*: .*: ' error) $(grep -c TMPDIR error) $(ls -A tmp | wc -l)"
          umount tmp
        done
        END
        """)
      #expect(result.output == "1 1 1 0\n1 1 1 0\n", "\(result.errorOutput)")
      #expect(try names("out", in: sandbox) == [])
    }

    @Test(arguments: [
      "export Logged.sqlite out/a", "verify Logged.sqlite", "inspect Logged.sqlite",
      "diff Logged.sqlite archive",
    ])
    func aMissingFolderForTemporaryFilesIsAnError(_ command: String) throws {
      let sandbox = try makeSandbox()
      let result = try sandbox.shell("TMPDIR=$PWD/nowhere coffer \(command)")
      #expect(result.status == 1)
      #expect(result.errorOutput.contains("nowhere: No such file or directory"))
      #expect(result.errorOutput.contains("TMPDIR"))
      #expect(try names("out", in: sandbox) == [])
    }

    @Test(arguments: [
      "export Todo.sqlite out/a --level 0", "import archive out/R.sqlite", "verify Logged.sqlite",
    ])
    func aLimitOfTheFileSizeIsAnError(_ command: String) throws {
      let sandbox = try makeSandbox()
      for blocks in [0, 1, 8, 32] {
        // The answer is too large for the limit as well, so it goes through a pipe.
        let result = try sandbox.shell(
          """
          export TMPDIR=$PWD/tmp
          { ( ulimit -f \(blocks); exec "$COFFER_UNDER_TEST" \(command) ) 2>&1; echo "status $?"; } | cat
          """)
        #expect(result.output.hasSuffix("status 1\n"), "\(blocks): \(result.output)")
        #expect(result.output.contains("Error: "))
        #expect(result.output.contains("Hint: "))
        #expect(try names("out", in: sandbox) == [])
        #expect(try names("tmp", in: sandbox) == [])
      }
    }

    @Test(arguments: [
      "export Todo.sqlite out/a", "import archive out/R.sqlite", "verify Todo.sqlite",
      "verify archive", "diff Todo.sqlite archive",
    ])
    func aLimitOfOpenFilesIsAnErrorOrEnough(_ command: String) throws {
      let sandbox = try makeSandbox()
      // From too few for the program to be loaded to enough for its work.
      let limits = [5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 20, 64]
      let result = try sandbox.shell(
        """
        export TMPDIR=$PWD/tmp
        for limit in \(limits.map(String.init).joined(separator: " ")); do
          # coffer copies a store that was just written, and a command that makes a copy removes leftovers.
          touch Todo.sqlite
          ( ulimit -n $limit; exec "$COFFER_UNDER_TEST" \(command) ) > said 2> error
          status=$?
          hints=$(grep -c '^Hint: .*ulimit -n' error)
          found="$(grep -c 'Error: ' error) $hints $(grep -c 'Fatal error' error)"
          left="$(ls -A tmp | wc -l) $(ls -A out | grep -c coffer) $(ls out | wc -l)"
          echo "$limit: $status, $found, $left"
          rm -rf out; mkdir out
        done
        """)
      let lines = result.output.split(separator: "\n").map(String.init)
      #expect(lines.count == limits.count)
      let targets = command.contains("out/") ? 1 : 0
      // The loader ends the program; with so many descriptors it does not.
      let enough = 20
      for (line, limit) in zip(lines, limits) {
        let isFine = line == "\(limit): 0, 0 0 0, 0 0 \(targets)"
        let failed = line == "\(limit): 1, 1 1 0, 0 0 0"
        let isNotLoaded = line == "\(limit): 127, 0 0 0, 0 0 0"
        #expect(isFine || limit < enough && (failed || isNotLoaded), "\(line)")
      }
    }

    @Test(arguments: ["export Todo.sqlite out/a", "import archive out/R.sqlite", "mcp ."])
    func aLimitOfMemoryIsAnErrorOrEnough(_ command: String) throws {
      let sandbox = try makeSandbox()
      let result = try sandbox.shell(
        """
        export TMPDIR=$PWD/tmp
        for limit in 200000 250000 300000 350000 400000 500000 700000; do
          ( ulimit -v $limit; exec "$COFFER_UNDER_TEST" \(command) ) > said 2> error < /dev/null
          echo "$? $(grep -c 'ulimit -v' error) $(ls -A tmp | wc -l) $(ls -A out | grep -c coffer)"
          rm -rf out; mkdir out
        done
        """)
      let lines = result.output.split(separator: "\n")
      #expect(lines.count == 7)
      // The loader ends what it cannot load with 127.
      #expect(
        lines.allSatisfy { ["0 0 0 0", "1 1 0 0", "127 0 0 0"].contains($0) }, "\(result.output)")
      #expect(lines.last == "0 0 0 0")
    }

    /// Memory runs out where it does; the fault is sent in the middle of writing instead.
    @Test(
      .enabled(if: FaultLibrary.isAvailable, "needs a C compiler"),
      arguments: [
        "compact Todo.sqlite -o out/Small.sqlite", "import archive out/R.sqlite",
        "export Todo.sqlite out/a --level 0", "backup Todo.sqlite --vault out",
      ])
    func nothingIsLeftWhereMemoryRunsOut(_ command: String) throws {
      let sandbox = try makeSandbox()
      let fault = try Fault([.write], .stopBefore).environment(
        number: 3, folders: [sandbox.file("out"), sandbox.file("tmp")], log: sandbox.file("log"))
      let exports = fault.map { "export \($0)='\($1)'" }.sorted().joined(separator: "; ")
      let result = try sandbox.shell(
        """
        export TMPDIR=$PWD/tmp
        ( ulimit -v 8000000; \(exports); exec "$COFFER_UNDER_TEST" \(command) ) > said 2> error &
        until grep -q '^State:.T' /proc/$!/status; do kill -0 $! || exit 99; done
        ls -A out tmp | grep -c coffer-
        kill -ILL $!; kill -CONT $!; wait $!
        echo "$? $(grep -c 'ulimit -v' error) $(ls -A tmp | wc -l) $(ls -A out | grep -c coffer-)"
        """)
      let lines = result.output.split(separator: "\n")
      #expect(lines.count == 2 && lines.first != "0", "\(result.output) \(result.errorOutput)")
      #expect(lines.last == "1 1 0 0", "\(result.output) \(result.errorOutput)")
    }

    /// What a command may begin with does not depend on how many threads have already taken blocks, and is
    /// enough for several.
    @Test func aCommandThatMayBeginWithSoMuchMemoryEndsWell() throws {
      let result = try makeSandbox().shell(
        """
        export TMPDIR=$PWD/tmp
        run() { ( ulimit -v $1; shift; exec "$COFFER_UNDER_TEST" "$@" ) > said 2> error; }
        for limit in $(seq 100000 8000 700000); do
          run $limit verify nothing; [ $? = 10 ] && break
        done
        for more in 8000 16000 24000 32000 48000 64000; do
          run $((limit + more)) backup Todo.sqlite --vault out/V --full
          echo "$? $(ls -A tmp | wc -l)"
        done
        """)
      #expect(result.output == String(repeating: "0 0\n", count: 6), "\(result.output)")
    }

    /// The server waits for input, a descriptor short of what Dispatch would need for a signal.
    @Test func aSignalEndsACommandWithFewDescriptors() throws {
      let result = try makeSandbox().shell(
        """
        mkfifo input; exec 9<> input
        ( ulimit -n 22; exec "$COFFER_UNDER_TEST" mcp . ) < input 2> error &
        until [ -s /proc/$!/task/$!/children ] || [ $(ls /proc/$!/task | wc -l) -gt 2 ]; do :; done
        kill -TERM $!; wait $!; echo $?; cat error
        """)
      #expect(result.output == "130\nError: interrupted\n", "\(result.output)")
    }

    @Test(
      .enabled(if: FaultLibrary.isAvailable, "needs a C compiler"),
      arguments: ["export Todo.sqlite out/a", "import archive out/R.sqlite"], 1...3)
    func aTargetFolderThatGoesAwayIsAnError(_ command: String, _ number: Int) throws {
      let sandbox = try makeSandbox()
      // It stops where it is about to write, so that it is not done before the folder is gone.
      let fault = try Fault([.open, .write], .stopBefore).environment(
        number: number, folders: [sandbox.file("out")], log: sandbox.file("log"))
      let arguments = command.split(separator: " ").map(String.init)
      let process = try sandbox.start(arguments, adding: fault)
      while !process.isStopped {
        try #require(kill(process.identifier, 0) == 0)
        usleep(1000)
      }
      try FileManager.default.moveItem(atPath: sandbox.file("out"), toPath: sandbox.file("gone"))
      try FileManager.default.removeItem(atPath: sandbox.file("gone"))
      process.send(signal: SIGCONT)
      let result = try process.wait()
      #expect(result.status == 1)
      #expect(result.errorOutput.contains("Hint: "), "\(result.errorOutput)")
      #expect(!FileManager.default.fileExists(atPath: sandbox.file("out")))
    }

    private static let setpriv = geteuid() == 0 ? ProcessRunner.find("setpriv") : nil

    @Test(
      .enabled(if: setpriv != nil, "needs root and setpriv"),
      arguments: ["export Todo.sqlite out/a", "import archive out/R.sqlite"])
    func aFolderThatMayNotBeWrittenIsAnError(_ command: String) throws {
      let sandbox = try makeSandbox()
      let result = try sandbox.shell(
        """
        chmod 755 . && mkdir other && chmod 777 other
        TMPDIR=$PWD/other setpriv --reuid=65534 --regid=65534 --clear-groups \
        "$COFFER_UNDER_TEST" \(command)
        """)
      #expect(result.status == 1, "\(result.errorOutput)")
      #expect(result.errorOutput.contains("Hint: Check"), "\(result.errorOutput)")
      #expect(try names("out", in: sandbox) == [])
      #expect(try names("other", in: sandbox) == [])
    }

    @Test(.enabled(if: setpriv != nil, "needs root and setpriv"))
    func aFileThatMayNotBeReadIsAFinding() throws {
      let result = try makeSandbox().shell(
        """
        chmod 755 .; chmod 600 .Todo_SUPPORT/_EXTERNAL_DATA/*; mkdir other; chmod 777 other
        TMPDIR=$PWD/other setpriv --reuid=65534 --regid=65534 --clear-groups \
        "$COFFER_UNDER_TEST" verify Todo.sqlite
        """)
      #expect(result.status == 3, "\(result.errorOutput)")
      #expect(result.output.contains("(unreadable-external-data)"), "\(result.output)")
    }

    /// A preview changes nothing; a change of a file that may not be written is refused.
    @Test(.enabled(if: setpriv != nil, "needs root and setpriv"))
    func aPreviewNeedsNoPermissionToWrite() throws {
      let sandbox = try makeSandbox()
      func repair(_ option: String) throws -> Int32 {
        try sandbox.shell(
          """
          chmod 444 Todo.sqlite; chmod 755 .; mkdir -p other; chmod 777 other
          TMPDIR=$PWD/other setpriv --reuid=65534 --regid=65534 --clear-groups \
          "$COFFER_UNDER_TEST" repair Todo.sqlite \(option)
          """
        ).status
      }
      #expect(try repair("") == 0)
      #expect(try repair("--apply") == 15)
      #expect(try names("other", in: sandbox) == [])
      // The others read a store as well: one that is theirs, and one that is not.
      _ = try sandbox.shell(
        "chmod 644 Todo.sqlite; cp Todo.sqlite Old.sqlite; coffer diff Todo.sqlite Todo.sqlite "
          + "--output Day.tar.gz; chmod 444 *.sqlite *.gz")
      for preview in [
        "merge Todo.sqlite Old.sqlite --match-by-object-id",
        "dedupe Todo.sqlite --match TagEntity=name", "compact Todo.sqlite",
        "apply Todo.sqlite Day.tar.gz",
      ] {
        let result = try sandbox.shell(
          "TMPDIR=$PWD/other setpriv --reuid=65534 --regid=65534 --clear-groups "
            + "\"$COFFER_UNDER_TEST\" \(preview) --dry-run")
        #expect([0, 3].contains(result.status), "\(preview): \(result.errorOutput)")
      }
      #expect(try names("other", in: sandbox) == [])
    }

    @Test func aFullStandardOutputIsAnErrorWithAHint() throws {
      let result = try makeSandbox().shell("coffer export Todo.sqlite - > /dev/full")
      #expect(result.status == 1)
      #expect(
        result.errorOutput.hasPrefix(
          "Error: standard output, byte 0: cannot be written: No space left"))
      #expect(result.errorOutput.contains("Hint: The disk is full"))
    }

    @Test func aPipeThatEndsEarlyIsAnError() throws {
      let sandbox = try makeSandbox()
      for count in [0, 1, 10, 20_000] {
        let result = try sandbox.shell("head -c \(count) archive | coffer import - out/R.sqlite")
        #expect(result.status == 12)
        #expect(try names("out", in: sandbox) == [])
      }
      let closed = try sandbox.shell("coffer import - out/R.sqlite <&-")
      #expect(closed.status == 1)
      let folder = try sandbox.shell("coffer import - out/R.sqlite < out")
      #expect(folder.status == 1)
      #expect(folder.errorOutput.contains("cannot be read: Is a directory"))
      #expect(try names("out", in: sandbox) == [])
    }

    @Test(arguments: [["import", "-", "out/R.sqlite"], ["verify", "-"]])
    func aPipeThatStallsCanBeInterrupted(_ arguments: [String]) throws {
      let sandbox = try makeSandbox()
      #expect(unsafe mkfifo(sandbox.file("pipe"), 0o600) == 0)
      let process = try sandbox.start(arguments, readingPipe: "pipe")
      let descriptor = unsafe open(sandbox.file("pipe"), O_WRONLY)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      let part = try #require(sandbox.bytes("archive")).prefix(9000)
      try FileHandle(fileDescriptor: descriptor).write(contentsOf: part)
      // The program is at work when it has taken all of it; more does not come.
      var waiting: Int32 = 1
      while waiting > 0 {
        try #require(kill(process.identifier, 0) == 0)
        try #require(unsafe ioctl(descriptor, UInt(FIONREAD), &waiting) == 0)
        sched_yield()
      }
      process.send(signal: SIGINT)
      let result = try process.wait()
      #expect(result.status == 130)
      #expect(result.signal == nil)
      #expect(result.errorOutput.contains("interrupted"))
      #expect(try names("out", in: sandbox) == [])
    }
  }
#endif
