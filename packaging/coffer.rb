# Homebrew formula for coffer, on macOS and Linux. To install it, put it in a tap of your own:
#
#   brew tap-new "$USER/coffer"
#   cp packaging/coffer.rb "$(brew --repository "$USER/coffer")/Formula/"
#   COFFER_SOURCE=$PWD brew install --HEAD "$USER/coffer/coffer"
#
# A release adds its homepage, and the `url` and `sha256` of its source archive.
class Coffer < Formula
  desc "Back up, restore and verify Core Data and SwiftData stores"
  license "MIT"
  head ENV.fetch("COFFER_SOURCE", Dir.pwd), using: :git, branch: "main"

  depends_on "libdeflate"
  depends_on "zstd"

  on_macos do
    depends_on xcode: ["26.0", :build]
  end

  on_linux do
    depends_on "swift" => :build
    depends_on "curl"
    depends_on "libxml2"
    depends_on "sqlite"
    depends_on "zlib"
  end

  def install
    system "swift", "build", "--disable-sandbox", "-c", "release", "--product", "coffer",
           "--traits", "LibdeflateAnywhere,ZstdAnywhere"
    system "scripts/link-program", "#{buildpath}/.build/release"
    system "scripts/install", ".build/program/coffer", prefix
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/coffer --version") unless head?
    # A file that is not a store is refused with status 10, and nothing is written.
    (testpath/"notes.sqlite").write "not a database"
    shell_output("#{bin}/coffer export notes.sqlite notes.coffer.tar.gz 2>&1", 10)
    refute_path_exists testpath/"notes.coffer.tar.gz"
  end
end
