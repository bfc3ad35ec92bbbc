import { useEffect, useState } from 'react';

/** The value once it has not changed for a while, such as typed text; initially as it is. */
export function useSettled<Value>(value: Value, ms = 60): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === settled) return undefined;
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, settled, ms]);
  return settled;
}
