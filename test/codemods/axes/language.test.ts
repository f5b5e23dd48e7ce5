import { runAxis } from '../helpers/run-axis.ts';

runAxis('language');
