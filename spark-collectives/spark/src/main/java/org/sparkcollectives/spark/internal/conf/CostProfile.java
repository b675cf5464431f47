package org.sparkcollectives.spark.internal.conf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.error.ErrorText;
import org.sparkcollectives.error.InvalidInputException;

/** A cost model as a JSON document, with the names of its parts as keys; all must be there. */
public final class CostProfile {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  private CostProfile() {}

  /**
   * Writes a model.
   *
   * @param model the model
   * @return JSON in several lines
   */
  public static String write(CostModel model) {
    try {
      return MAPPER.writeValueAsString(model) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a cost model cannot be written", e);
    }
  }

  /**
   * Reads a model.
   *
   * @param json what {@link #write} wrote, or the like
   * @param path where it was found, for messages
   * @return the model
   * @throws org.sparkcollectives.error.InvalidInputException if it is no profile; the message says
   *     where it is wrong
   */
  public static CostModel read(String json, String path) {
    try {
      CostModel model = MAPPER.readValue(json, CostModel.class);
      if (model == null) {
        throw badProfile(path, "it is empty");
      }
      return model;
    } catch (JsonProcessingException e) {
      throw badProfile(path, String.valueOf(e.getMessage()).replace('\n', ' '));
    }
  }

  /**
   * A profile that cannot be read.
   *
   * @param path where it is
   * @param cause what is wrong with it
   * @return the exception
   */
  public static InvalidInputException badProfile(String path, String cause) {
    return new InvalidInputException(
        ErrorText.of(
            "the cost profile " + path + " cannot be read",
            cause,
            "give a file that 'collectives calibrate' wrote, or one made like those in conf/"),
        null);
  }
}
