import { anthropicVendor } from './anthropic-vendor.ts';
import { azureVendor } from './azure-vendor.ts';
import { geminiVendor } from './gemini-vendor.ts';
import { openAiVendor } from './openai-vendor.ts';
import type { Vendor } from './vendor.ts';

/** The kinds of providers that are held to the suite. */
export const VENDORS: readonly Vendor[] = [openAiVendor, azureVendor, anthropicVendor, geminiVendor];
