import * as z from 'zod';
import { duration, plainText, section } from './file-fields.ts';

// The key that encrypts the database's secrets.

const COMMAND_RIGHT = 'write a program and its arguments as a list, such as ["/opt/kms", "--key", "faregate"]';

export const secrets = section(
  {
    key_file: plainText('write the path of a file')
      .optional()
      .describe(
        "The file of the key that encrypts the database's secrets. Left out: secrets.key in the data directory.",
      ),
    command: z
      .array(plainText(COMMAND_RIGHT, 4_096), { error: COMMAND_RIGHT })
      .min(1, { error: COMMAND_RIGHT })
      .max(100, { error: COMMAND_RIGHT })
      .optional()
      .describe('A program that wraps and unwraps keys in the place of the file.'),
    command_timeout: duration(100, 60_000).prefault('10s').describe('How long the program may take.'),
  },
  'write a mapping such as { key_file: /run/secrets/faregate }',
);
