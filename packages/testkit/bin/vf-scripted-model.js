#!/usr/bin/env node
import { scriptedModelCommand } from '@vf/testkit';

process.exitCode = await scriptedModelCommand(process.argv.slice(2));
