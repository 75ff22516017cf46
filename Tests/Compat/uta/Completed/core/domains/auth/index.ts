// "Public exports"; the document names the file and shows nothing of it.
export * from './api';
export * from './events';
export * from './hooks';
export * from './store';
export * from './tokenService';
export * from './types';
