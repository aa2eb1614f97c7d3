export { curriculumJob } from './curriculum-job/curriculum-job.ts'
export { learningArc } from './learning-arc/learning-arc.ts'
