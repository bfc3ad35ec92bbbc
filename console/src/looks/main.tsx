import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../styles/app.css';
import { Toaster } from '../ui/toaster.tsx';
import { ChartLooks } from './chart-looks.tsx';
import { ControlLooks } from './control-looks.tsx';
import { StateLooks } from './state-looks.tsx';
import { TableLooks } from './table-looks.tsx';

// Every component of the kit on one page, with long names and large amounts. It is no part of the built console.

const place = document.getElementById('looks');
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <main className="mx-auto max-w-300 px-4 py-6 sm:px-8">
        <ControlLooks />
        <TableLooks />
        <ChartLooks />
        <StateLooks />
      </main>
      <Toaster />
    </StrictMode>,
  );
}
