import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** The started program that `vite dev` asks for everything that is not the console's. */
const PROGRAM = process.env['FAREGATE_URL'] ?? 'http://127.0.0.1:8080';

const proxy = Object.fromEntries(
  ['/admin', '/v1', '/docs', '/readyz', '/livez'].map((path) => [
    path,
    { target: PROGRAM, headers: { origin: PROGRAM } },
  ]),
);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // By which test/repository/console-sizes.test.ts measures.
    manifest: true,
    // The content security policy lets nothing in from `data:` addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy },
});
