// Example: core/shared/api/client.ts (Conceptual instantiation file)
// import { PublicApiClient } from './public';
// import { AuthenticatedApiClient } from './authenticated';
// import { AxiosRequestConfig } from 'axios';

// Assuming PublicApiClient and AuthenticatedApiClient are defined as in the tabs above.
const commonConfig: AxiosRequestConfig = {
  baseURL: process.env.API_BASE_URL, // Ensure this env variable is set up
  // other common configurations can be added here
};

export const publicApi = new PublicApiClient(commonConfig);
export const authenticatedApi = new AuthenticatedApiClient(commonConfig);
