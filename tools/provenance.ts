interface Build {
  readonly tarball: { readonly name: string; readonly sha256: string };
  /** The commit's full id. */
  readonly commit: string;
  /** The SHA-256 of package-lock.json, which has the digests of all that the build installs. */
  readonly lockfile: string;
}

/** How a tarball was made, as an in-toto statement with SLSA's predicate for builds. */
export function provenanceOf({ tarball, commit, lockfile }: Build): object {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: [{ name: tarball.name, digest: { sha256: tarball.sha256 } }],
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'npm ci && npm pack',
        externalParameters: { commit },
        internalParameters: { node: process.version },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lockfile } },
        ],
      },
      runDetails: { builder: { id: 'a maintainer, by npm run release:sign' } },
    },
  };
}
