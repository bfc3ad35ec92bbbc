import fc from 'fast-check';

// A change is noticed by the first example that fails: a search for a smaller one would take as long as all tests together.

fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
