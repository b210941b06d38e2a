# The program, built from source, with completions.
{ lib, stdenv, rustPlatform, installShellFiles }:

let
  manifest = (lib.importTOML ../../Cargo.toml).workspace.package;
in
rustPlatform.buildRustPackage {
  pname = "admissible";
  inherit (manifest) version;

  src = lib.cleanSource ../..;
  cargoLock.lockFile = ../../Cargo.lock;
  cargoBuildFlags = [ "--package" "admissible" ];
  buildType = "dist";
  # The tests also need editors and npm: `cargo xtask test` runs them outside of Nix.
  doCheck = false;

  nativeBuildInputs = [ installShellFiles ];
  postInstall = lib.optionalString (stdenv.buildPlatform.canExecute stdenv.hostPlatform) ''
    installShellCompletion --cmd admissible \
      --bash <($out/bin/admissible completions bash) \
      --fish <($out/bin/admissible completions fish) \
      --zsh <($out/bin/admissible completions zsh)
  '';

  meta = {
    description = "Language server and command line for Kubernetes admission policies";
    homepage = manifest.repository;
    license = with lib.licenses; [ mit asl20 ];
    mainProgram = "admissible";
  };
}
