// Conceptual path: core/shared/api/public.ts
// import { BaseApiClient } from './base'; // Assumes BaseApiClient is imported
// import { AxiosRequestConfig, AxiosError, AxiosResponse } from 'axios';

export class PublicApiClient extends BaseApiClient {
  constructor(config?: AxiosRequestConfig) {
    super(config);
    // No specialized interceptors needed for public client typically.
  }

  // Inherits get, post, put, delete methods from BaseApiClient.
  // These methods in BaseApiClient already include try/catch and use handleError.
  // If PublicApiClient needed to override or add specific logic, it would do so here.
  // For example, it could override handleError if public errors needed different treatment.
}
