// Loaded before the program: its wall clock is off by CHAOS_CLOCK_OFF_MS, and its clocks run at CHAOS_CLOCK_RATE.

const offMs = Number(process.env['CHAOS_CLOCK_OFF_MS'] ?? 0);
const rate = Number(process.env['CHAOS_CLOCK_RATE'] ?? 1);

const wallMs = Date.now.bind(Date);
const startMs = wallMs();
Date.now = () => Math.floor(startMs + (wallMs() - startMs) * rate + offMs);

const monotonicMs = performance.now.bind(performance);
performance.now = () => monotonicMs() * rate;
