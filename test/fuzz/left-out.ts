/** Functions that are named like parsers and are no target, each with its reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'engine/look/process-notes.ts#readProcess': 'takes what sensors have read',
  'engine/look/read-pane.ts#readPane': 'takes what sensors have read',
  'operations/log.ts#readLog': 'reads through the ledger’s port',
  'core/memory/remember-word.ts#readWord': 'takes what an agent’s adapter has read',
  'adapters/doctor/own-folder.ts#readOwnFolder': 'lists a folder, reads no content',
  'adapters/doctor/login.ts#readLogin': 'asks the system’s programs; compares whole words of what they print',
  'adapters/lock/process-stat.ts#readProcessStat':
    'reads /proc of a living process through parseStat, which is a target',
  'adapters/agents/common/option-words.ts#readWords': 'takes words of a command line, in one pass',
  'adapters/store-sqlite/read-database.ts#readDatabase':
    'SQLite reads the file; its rows are a target (ledger-rows)',
  'adapters/git/read-below.ts#readBelow': 'walks folders through readers that are targets',
  'adapters/git/read-branches.ts#readBranches':
    'asks git several times; readRefs and readHistory are targets',
  'adapters/git/read-bare.ts#readBare': 'walks a repository through readers that are targets',
  'adapters/git/tree-state.ts#readTreeState': 'runs git; its records are those of git-status',
  'adapters/git/read-own.ts#readOwn': 'asks git through readers that are targets',
  'adapters/files/user-file.ts#readUserFile': 'reads bytes and judges none',
  'adapters/files/open-elsewhere.ts#readOpenElsewhere':
    'reads /proc/PID/fdinfo of a living process, as proc-open-files does',
  'adapters/files/open-elsewhere.ts#readOpenHere': 'reads /proc/self/fdinfo, as proc-open-files does',
  'adapters/native/file-attributes.ts#readAttributes': 'the kernel answers with a number',
};
