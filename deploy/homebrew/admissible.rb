class Admissible < Formula
  desc "Language server and command-line for Kubernetes admission policies"
  homepage "@REPOSITORY@"
  version "@VERSION@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "@URL@/admissible-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256 admissible-aarch64-apple-darwin.tar.gz@"
    end
    on_intel do
      url "@URL@/admissible-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256 admissible-x86_64-apple-darwin.tar.gz@"
    end
  end

  on_linux do
    on_arm do
      url "@URL@/admissible-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 admissible-aarch64-unknown-linux-musl.tar.gz@"
    end
    on_intel do
      url "@URL@/admissible-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 admissible-x86_64-unknown-linux-musl.tar.gz@"
    end
  end

  def install
    bin.install "admissible"
    man1.install Dir["man/man1/*"]
    bash_completion.install "completions/admissible.bash" => "admissible"
    fish_completion.install "completions/admissible.fish"
    zsh_completion.install "completions/_admissible"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/admissible --version")
  end
end
