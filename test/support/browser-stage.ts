import { rm } from 'node:fs/promises';
import type { TestProject } from 'vitest/node';
import { type ChromiumFolder, unpackChromium } from './chromium.ts';
import { type Program, startProgram } from './program.ts';

// What all files of browser tests share: Chromium's files, and one program for those that need no config of their own.

declare module 'vitest' {
  interface ProvidedContext {
    chromiumFolder: ChromiumFolder;
    sharedSite: { readonly url: string; readonly operatorToken: string; readonly data: string };
  }
}

let folder: ChromiumFolder = null;
let program: Program | null = null;

/** Vitest calls it before the browser tests. */
export async function setup(project: TestProject): Promise<void> {
  folder = await unpackChromium();
  program = await startProgram();
  project.provide('chromiumFolder', folder);
  const { url, operatorToken, data } = program;
  project.provide('sharedSite', { url, operatorToken, data });
}

/** And after them. */
export async function teardown(): Promise<void> {
  await program?.dispose();
  if (folder !== null) await rm(folder, { recursive: true, force: true });
}
