/** Control tokens of DeepSeek's vocabulary, which V3 and its successors share. */
export const begin = '<｜begin▁of▁sentence｜>';
export const end = '<｜end▁of▁sentence｜>';
export const user = '<｜User｜>';
export const assistant = '<｜Assistant｜>';
/** Around all calls of a reply. */
export const section = ['<｜tool▁calls▁begin｜>', '<｜tool▁calls▁end｜>'] as const;
export const call = ['<｜tool▁call▁begin｜>', '<｜tool▁call▁end｜>'] as const;
export const separator = '<｜tool▁sep｜>';
/** Around all results of a reply's calls. */
export const outputs = ['<｜tool▁outputs▁begin｜>', '<｜tool▁outputs▁end｜>'] as const;
export const output = ['<｜tool▁output▁begin｜>', '<｜tool▁output▁end｜>'] as const;
